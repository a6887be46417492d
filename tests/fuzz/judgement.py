"""What may become of a file or a message: used, or refused by an error that a user understands."""

import re
import time
import traceback
import warnings
from collections.abc import Callable

from remora.files.problems import InputError

LONGEST = 60.0  # s of CPU for one trial
# Words of Python and not of a message.
NOT_CLEAR = re.compile(r"Traceback|object at 0x|NoneType|<class|\b[A-Za-z]+Error\b|Exception")


def judged(use: Callable[[], str], expected: tuple[type[Exception], ...] = (InputError,)) -> tuple[str, str]:
    """Ending and words of a use, which says what is wrong with its result; empty for nothing."""
    begun = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # arithmetic that goes wrong where nobody looks
            fault = use()
    except expected as error:
        words = str(error)
        ending = ("refused", words) if words and not NOT_CLEAR.search(words) else ("misbehaved", f"not clear: {words}")
    except Exception:
        ending = ("misbehaved", traceback.format_exc())
    else:
        ending = ("misbehaved", fault) if fault else ("ran", "")
    spent = time.process_time() - begun
    return ("misbehaved", f"{spent:.0f} s of CPU") if spent > LONGEST else ending
