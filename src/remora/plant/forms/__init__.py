"""Hull force forms in compiled code: the table unrolled, and user-defined forms called by address."""
