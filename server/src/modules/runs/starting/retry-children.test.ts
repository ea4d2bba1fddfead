/** Retrying a run that started others: what these finished is not repeated, whichever of them is retried. */
import { beforeEach, describe, expect, it } from 'vitest'
import { finished, publish, readRun, runsPath, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, node } from '#test/harness/workflows.ts'

let failing: readonly string[] = []
const app = await sharedApp(({ path }, response) => response.writeHead(failing.includes(path) ? 400 : 200).end(path))
const { site } = app
const ana = await app.user()

const post = (id: string, path: string) =>
  node(id, { method: 'POST', url: `${site.origin}/${path}`, retry: { max_attempts: 1 } }, 'http_request')
const item = await publish(ana, {
  nodes: [post('prepare', 'prepare/{{ input }}'), post('ship', 'ship/{{ state.input }}')],
  edges: [edge('prepare', 'ship')],
})
const all = { items: '[0, 1, 2]', workflow_id: item, parallel: 1 }
const forEach = await publish(ana, { nodes: [node('all', all, 'for_each')], edges: [] })
const call = { workflow_id: item, input: 7 }
const subworkflow = await publish(ana, { nodes: [node('call', call, 'subworkflow')], edges: [] })

const again = { workflow_id: item, input: 5, max_iterations: 1 }
const loop = await publish(ana, { nodes: [node('again', again, 'loop')], edges: [] })

const run = async (workflowId: string) => finished(ana, (await startByHand(ana, workflowId)).body.id)
const retry = async (id: string) => finished(ana, (await ana.post(`${runsPath}/${id}/retry`)).body.id)
const childrenOf = async (id: string) => (await ana.get(`${runsPath}?parent_run_id=${id}`)).body.data
const requestsTo = (path: string) => site.requests.filter((request) => request.path === path)
const keysOf = (path: string) => new Set(requestsTo(path).map(({ headers }) => headers['idempotency-key']))

beforeEach(() => {
  failing = []
  site.requests.length = 0
})

describe('a retried for_each', () => {
  it('keeps the items that ended well, and continues the failed one where it failed, under the same keys', async () => {
    failing = ['/ship/1']
    const first = await run(forEach)
    expect(first).toMatchObject({ status: 'failed', error: expect.stringContaining('Item 2') })
    failing = []
    const second = await retry(first.id)
    expect(second).toMatchObject({
      status: 'succeeded',
      output: [{ body: '/ship/0' }, { body: '/ship/1' }, { body: '/ship/2' }],
    })
    const counts = ['/prepare/0', '/ship/0', '/prepare/1', '/ship/1', '/prepare/2', '/ship/2'].map(
      (path) => requestsTo(path).length,
    )
    expect(counts).toEqual([1, 1, 1, 2, 1, 1])
    expect(keysOf('/ship/1').size).toBe(1)
  })

  it('keeps what any run of the line has finished', async () => {
    failing = ['/ship/1', '/ship/2']
    const first = await run(forEach)
    failing = ['/ship/2']
    const second = await retry(first.id)
    expect(second).toMatchObject({ status: 'failed', error: expect.stringContaining('Item 3') })
    failing = []
    expect(await retry(first.id)).toMatchObject({ status: 'succeeded' })
    expect(['/ship/0', '/ship/1', '/ship/2'].map((path) => requestsTo(path).length)).toEqual([1, 2, 2])
    expect(['/prepare/0', '/prepare/1', '/prepare/2'].map((path) => requestsTo(path).length)).toEqual([1, 1, 1])
  })
})

const loseSteps = (runId: string) => app.db.deleteFrom('runSteps').where('runId', '=', runId).execute()

it.each([
  ['for_each', forEach, '/ship/1', '/prepare/1'],
  ['subworkflow', subworkflow, '/ship/7', '/prepare/7'],
  ['loop', loop, '/ship/5', '/prepare/5'],
])(
  'a retried %s fails where the steps of its failed child were deleted, and repeats nothing',
  async (_type, workflow, fails, prepares) => {
    failing = [fails]
    const first = await run(workflow)
    const failed = (await childrenOf(first.id)).find(({ status }: { status: string }) => status === 'failed')
    await loseSteps(failed.id)
    failing = []
    expect(await retry(first.id)).toMatchObject({ status: 'failed', error: expect.stringContaining('were deleted') })
    expect(requestsTo(prepares)).toHaveLength(1)
  },
)

describe('a retried subworkflow', () => {
  it('continues the run it had started, under the same keys', async () => {
    failing = ['/ship/7']
    const first = await run(subworkflow)
    failing = []
    expect(await retry(first.id)).toMatchObject({ status: 'succeeded', output: { body: '/ship/7' } })
    expect([requestsTo('/prepare/7').length, requestsTo('/ship/7').length]).toEqual([1, 2])
    expect(keysOf('/ship/7').size).toBe(1)
  })
})

describe('a child that is retried itself', () => {
  it('lets its parent continue once it has succeeded', async () => {
    failing = ['/ship/1']
    const parent = await run(forEach)
    const failed = (await childrenOf(parent.id)).find(({ status }: { status: string }) => status === 'failed')
    failing = []
    const child = await retry(failed.id)
    expect(child).toMatchObject({ status: 'succeeded', retry_of: failed.id })
    const { newest_retry } = await readRun(ana, parent.id)
    expect(newest_retry).not.toBeNull()
    expect(await finished(ana, newest_retry?.id ?? '')).toMatchObject({
      status: 'succeeded',
      output: [{ body: '/ship/0' }, { body: '/ship/1' }, { body: '/ship/2' }],
    })
    expect(['/ship/0', '/ship/1', '/ship/2'].map((path) => requestsTo(path).length)).toEqual([1, 2, 1])
  })

  it('stands alone where its parent went on without it', async () => {
    const lenient = await publish(ana, {
      nodes: [node('call', { ...call, on_error: 'continue' }, 'subworkflow')],
      edges: [],
    })
    failing = ['/ship/7']
    const parent = await run(lenient)
    expect(parent.status).toBe('succeeded')
    const [failed] = await childrenOf(parent.id)
    failing = []
    expect(await retry(failed.id)).toMatchObject({ status: 'succeeded', parent_run_id: null })
    expect(await readRun(ana, parent.id)).toMatchObject({ newest_retry: null })
  })
})
