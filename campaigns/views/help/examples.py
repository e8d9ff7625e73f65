"""Small files as they should look."""

from __future__ import annotations

RUN = """\
101 Q0 doc-0412 1 14.8923 bm25-rm3
101 Q0 doc-0077 2 14.1070 bm25-rm3
101 Q0 doc-1930 3 12.9511 bm25-rm3
102 Q0 doc-0077 1 9.3318 bm25-rm3"""

QRELS = """\
101 0 doc-0412 2
101 0 doc-0077 0
101 0 doc-1930 1
102 0 doc-0077 1"""

POOL = """\
101\tdemo-17\t0.6250
101\tdemo-03\t-0.1250"""

TOPICS = """\
101\tmedicinal use of garlic
102\thistory of the suspension bridge"""

TOPICS_JSONL = """\
{"topic_id": "101", "title": "medicinal use of garlic", "description": "What helps?"}
{"qid": 102, "topics": [{"lang": "eng", "topic_title": "history of the suspension bridge"}]}"""

TOPICS_SGML = """\
<top>
<num> Number: 101
<title> medicinal use of garlic
<desc> Description:
What helps?
</top>"""

TOPICS_XML = """\
<topics>
  <topic number="102">
    <query>history of the suspension bridge</query>
  </topic>
</topics>"""

PROGRAM = """\
from centreboard import Client

with Client("{site}", token="cb_...") as client:
    run = client.submit_run("{campaign}", "{task}", "my.run.gz")
    print(client.wait(run))"""
