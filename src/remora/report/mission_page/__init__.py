"""The mission page: one self-contained HTML file that shows the runs of one or two logs in a browser."""

from remora.report.mission_page.page import mission_page, write_page

__all__ = ["mission_page", "write_page"]
