"""Learning and applications beside other ways: each module is a program that prints one table."""
