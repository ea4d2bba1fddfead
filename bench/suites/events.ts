/**
 * The event bus and the workflow engine, each compared with its limit in the same run:
 *
 * - publishing over HTTP with 64 clients, at least 1.0 of durable single-row inserts over as many connections into the
 *   same PostgreSQL, though each event is written with its dispatch, and dispatched meanwhile;
 * - from the 202 to the start of the first node, p50 at most three times a bare pg-boss from send to handler;
 * - the overhead of a run of three nodes, without the nodes themselves;
 * - webhooks that start a durable run of one node, at least 1/25 of a bare `node:http` hello;
 * - the processor time of an idle server, at most one percent of a core;
 * - the processor time of an event with its run on three servers, at most 1.1 times that on one.
 */
import { startBench } from '../events/bench.ts'
import { measureFirstNode } from '../events/first-node.ts'
import { measureIdle } from '../events/idle.ts'
import { measureIngest } from '../events/ingest.ts'
import { measureOverhead } from '../events/overhead.ts'
import { measureThreeNodes } from '../events/three-nodes.ts'
import { measureWebhook } from '../events/webhook.ts'

const parts = {
  idle: measureIdle,
  ingest: measureIngest,
  'first-node': measureFirstNode,
  overhead: measureOverhead,
  webhook: measureWebhook,
  // Last: it works on a database with other people's workflows.
  'three-nodes': measureThreeNodes,
}

/** `npm run bench -- events webhook` measures that part alone. */
export const run = async (): Promise<void> => {
  const asked = process.argv.slice(3)
  const bench = await startBench()
  try {
    for (const [name, measure] of Object.entries(parts))
      if (asked.length === 0 || asked.includes(name)) await measure(bench)
  } finally {
    await bench.stop()
  }
}
