/** Runs in one line: publish, start, wait for the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { type Run, terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import { until } from '../kernel/until.ts'
import type { Client } from './client.ts'
import { makeWorkflow, submitAndApprove, workflowsPath } from './workflows.ts'

export const runsPath = '/api/v1/agent-runs'

/** Answers the workflow's id. */
export const publish = async (author: Client, graph: Graph): Promise<string> => {
  const { id } = await makeWorkflow(author, graph)
  await submitAndApprove(author, id)
  return id
}

export const startByHand = (person: Client, workflowId: string, input?: unknown) =>
  person.post(`${workflowsPath}/${workflowId}/runs`, { input })

export const readRun = async (person: Client, runId: string): Promise<Run> =>
  (await person.get(`${runsPath}/${runId}`)).body

/** Waits until the run is as asked. */
export const runWhere = async (person: Client, runId: string, isIt: (run: Run) => boolean): Promise<Run> => {
  // Few runs are as asked right after their start, and each look is a request.
  await sleep(15)
  let run: Run | undefined
  await until(async () => {
    run = await readRun(person, runId)
    return isIt(run)
  }, `the run ${runId} as asked`)
  return run ?? readRun(person, runId)
}

export const finished = (person: Client, runId: string): Promise<Run> =>
  runWhere(person, runId, ({ status }) => terminalRunStatuses.includes(status))

/** Starts and waits for the end. */
export const runThrough = async (person: Client, graph: Graph, input?: unknown): Promise<Run> => {
  const { body } = await startByHand(person, await publish(person, graph), input)
  return finished(person, body.id)
}
