/** Runs of workflows. */
import { followRun, getRun, listRuns, listWorkflowRuns, startRun } from '@chancery/contract/endpoints/runs.ts'
import { RunItem, RunStep, terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import type { Client } from '../src/index.ts'
import { type Call, type Command, type Terminal, textOption } from './command.ts'
import { readJson } from './events.ts'

const isOver = ({ status }: Pick<RunItem, 'status'>): boolean => terminalRunStatuses.includes(status)

/** Prints each step, then the output. Exit code 1 where the run didn't succeed. */
const follow = async (client: Client, runId: string, { signal, note, say }: Terminal): Promise<number> => {
  const params = { runId }
  const shown = new Set<string>()
  const isDone = (event: { name: string; data: string } | undefined) =>
    event?.name === 'run' && isOver(RunItem.parse(JSON.parse(event.data)))
  for await (const { name, data } of client.follow(followRun, { params, signal }, { isDone })) {
    if (name !== 'step') continue
    const step = RunStep.parse(JSON.parse(data))
    const line = `${step.status.padEnd(10)}${step.node_name}${step.error === null ? '' : `: ${step.error}`}`
    if (!shown.has(step.id + line)) note(line)
    shown.add(step.id + line)
  }
  const run = await client.call(getRun, { params })
  if (run.error !== null) note(run.error)
  if (run.output !== null && run.output !== undefined) say(JSON.stringify(run.output, null, 2))
  note(`${run.status}: ${run.workflow_name}, ${run.id}`)
  return run.status === 'succeeded' ? 0 : 1
}

const queryOf = (call: Call) => {
  const [status, limit] = [textOption(call, 'status'), textOption(call, 'limit') ?? '20']
  return { limit, ...(status !== undefined && { status }) }
}

export const showRuns: Command = {
  name: 'runs list',
  arguments: ['[WORKFLOW]'],
  options: { status: { type: 'string' }, limit: { type: 'string' } },
  sentence: 'The newest runs, of all workflows or of one: status, time, id, workflow.',
  details: '--status takes several, with commas: failed,timed_out',
  run: async (call) => {
    const [id] = call.given
    const client = await call.client()
    const query = queryOf(call)
    const { data } = await (id === undefined
      ? client.call(listRuns, { query })
      : client.call(listWorkflowRuns, { params: { id }, query }))
    for (const run of data) {
      const at = new Date(run.created_at * 1000).toISOString()
      call.terminal.say([run.status.padEnd(9), at, run.id, run.workflow_name].join('  '))
    }
    return undefined
  },
}

export const watchRun: Command = {
  name: 'runs follow',
  arguments: ['RUN'],
  sentence: 'Print the steps of a run as they happen, then its output. The exit code is 1 unless it succeeded.',
  run: async ({ client, given, terminal }) => follow(await client(), given[0] ?? '', terminal),
}

export const beginRun: Command = {
  name: 'runs start',
  arguments: ['WORKFLOW', '[INPUT]'],
  options: { follow: { type: 'boolean' } },
  sentence: 'Start a published workflow. The input is JSON.',
  run: async (call) => {
    const [id = '', text] = call.given
    const input = readJson(text, 'INPUT')
    const client = await call.client()
    const run = await client.call(startRun, { params: { id }, body: { ...(input !== undefined && { input }) } })
    if (call.options.follow) return follow(client, run.id, call.terminal)
    call.terminal.say(run.id)
    return undefined
  },
}
