"""Runs scim2-tester against a server and prints, as JSON, how many checks succeeded, and which were refused or skipped.

The tester fills attributes with random texts. The userName of this server is an email address, which a schema cannot say, so
its values are addresses here. A person has one role, which is primary in every answer, so the tester sends it as primary.
"""

import json
import os
import uuid

import scim2_tester.filling as filling
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server
from scim2_tester.checkers import patch_add, patch_remove, patch_replace

random_value = filling.generate_random_value


def value_of(context, path, *args, **kwargs):
    value = random_value(context, path, *args, **kwargs)
    for item in value if isinstance(value, list) else []:
        if hasattr(item, "primary"):
            item.primary = item is value[-1]
    is_user_name = value is not None and str(path).lower().endswith("username")
    return f"{uuid.uuid4()}@example.com" if is_user_name else value


for module in (filling, patch_add, patch_remove, patch_replace):
    if hasattr(module, "generate_random_value"):
        module.generate_random_value = value_of

headers = {"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"}
client = SyncSCIMClient(Client(base_url=os.environ["SCIM_URL"], headers=headers, timeout=120))
results = check_server(client)


def described(*statuses):
    found = [result for result in results if result.status in statuses]
    return [f"{result.status.name} {result.resource_type} {result.title}: {result.reason}" for result in found]


refused = described(Status.ERROR, Status.CRITICAL, Status.DEVIATION)
succeeded = len(described(Status.SUCCESS))
print(json.dumps({"succeeded": succeeded, "refused": refused, "skipped": described(Status.SKIPPED)}))
