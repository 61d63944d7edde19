"""Prints a jaffle shop's first days as JSON, one list of rows a table. They are equal each time."""

import json
import random
import sys
import uuid

import numpy

random.seed(1)
numpy.random.seed(1)
uuid.uuid4 = lambda: uuid.UUID(int=random.getrandbits(128), version=4)

# The generator draws numbers as it is imported.
from jafgen.simulation import Inventory, Simulation, Stock  # noqa: E402

shop = Simulation(1, "raw")
shop.sim_days = int(sys.argv[1])
progress, sys.stdout = sys.stdout, sys.stderr
shop.run_simulation()
sys.stdout = progress
tables = {
    "customers": [customer.to_dict() for customer in shop.customers.values()],
    "orders": [order.to_dict() for order in shop.orders],
    "items": [item.to_dict() for order in shop.orders for item in order.items],
    "stores": [market.store.to_dict() for market in shop.markets],
    "products": Inventory().to_dict(),
    "supplies": Stock().to_dict(),
}
json.dump(tables, sys.stdout, default=str)
