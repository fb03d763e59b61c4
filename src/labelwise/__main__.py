"""`python -m labelwise` is `labelwise`."""

from labelwise.cli.main import main

if __name__ == "__main__":
    main()
