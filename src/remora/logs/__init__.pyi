from .comparison import Comparison as Comparison, Difference as Difference, compare as compare
from .csv_writer import to_csv as to_csv
from .from_series import log_from_series as log_from_series
from .log import Log as Log, Series as Series, to_frames as to_frames
from .mcap.reader import LogReader as LogReader, iterate as iterate
from .problems import LogError as LogError
from .readers.csv_reader import read_csv_log as read_csv_log
from .readers.log_format import LogFile as LogFile, LogFormat as LogFormat
from .readers.registry import opened_log as opened_log, read_log as read_log
from .resuming import resume_log as resume_log
from .schema import Channel as Channel, Event as Event, Field as Field, RunHeader as RunHeader
from .writer import LogMark as LogMark, LogWriter as LogWriter
