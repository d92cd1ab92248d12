"""Every store keeps the contract of a store: all of it, on each kind of place."""

from contracts.reading import *
from contracts.writing import *
