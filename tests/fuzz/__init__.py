"""Random scenarios over all that is shipped, a third of them broken on purpose: each must run, or say what is wrong."""
