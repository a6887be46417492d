"""Linked bodies: compiled solvers for trees and loops, stepping, attachment and reports."""
