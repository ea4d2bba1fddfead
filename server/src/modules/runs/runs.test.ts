/** Runs as people see them: started by hand, step by step, to their end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { finished, publish, readRun, runsPath, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makeWorkflow, node, publishWorkflow, workflowsPath } from '#test/harness/workflows.ts'
import type { Answer } from '#test/peers/site.ts'
import { findRunProgressUnscoped } from './queries/activity.ts'

let answer: Answer = (_request, response) => response.end('{}')
const app = await sharedApp((request, response) => answer(request, response))
const { site } = app
const ana = await app.user()

const get = (id: string, config: Record<string, unknown> = {}) =>
  node(id, { url: `${site.origin}/${id}`, retry: { max_attempts: 1 }, ...config }, 'http_request')
const stepsOf = (run: { steps: { node_id: string; status: string }[] }) =>
  Object.fromEntries(run.steps.map(({ node_id, status }) => [node_id, status]))

describe('a run started by hand', () => {
  it('goes through two nodes, and keeps what each saw and said', async () => {
    const graph = {
      nodes: [
        node('first', { fields: { sum: 'input["a"] + input["b"]' } }),
        node('second', { fields: { twice: 'state["first"]["sum"] * 2', seen: 'input["sum"]' } }),
      ],
      edges: [edge('first', 'second')],
    }
    const id = await publish(ana, graph)
    const started = await startByHand(ana, id, { a: 1, b: 2 })
    expect(started.status).toBe(202)
    expect(started.body).toMatchObject({ status: 'queued', trigger: 'manual', workflow_id: id, version: 1 })
    const run = await finished(ana, started.body.id)
    expect(run).toMatchObject({ status: 'succeeded', output: { twice: 6, seen: 3 }, error: null })
    expect(run.steps).toMatchObject([
      { node_id: 'first', node_type: 'transform', status: 'succeeded', input: { a: 1, b: 2 }, output: { sum: 3 } },
      { node_id: 'second', status: 'succeeded', input: { sum: 3 }, output: { twice: 6, seen: 3 } },
    ])
    const list = await ana.get(`${workflowsPath}/${id}/runs`)
    expect(list.body).toMatchObject({ data: [{ id: run.id, status: 'succeeded' }], next_cursor: null })
  })

  it('keeps the digits of integers above 2^53 in its input, in what it sends and in what a server answers', async () => {
    let body = ''
    answer = (request, response) => {
      body = request.body
      response.setHeader('content-type', 'application/json').end('{"echo":18446744073709551617}')
    }
    const nodes = [get('call', { method: 'POST', body: { id: '{{ input.id }}' } })]
    const id = await publish(ana, { nodes, edges: [] })
    const started = await ana.send('POST', `${workflowsPath}/${id}/runs`, {
      body: '{"input":{"id":18446744073709551616}}',
      headers: { 'content-type': 'application/json' },
    })
    await finished(ana, started.body.id)
    expect(body).toBe('{"id":18446744073709551616}')
    expect((await ana.get(`${runsPath}/${started.body.id}`)).text).toMatch(/"echo":\s*18446744073709551617/)
  })

  it('keeps the digits of integers above 2^53 in the settings of its nodes', async () => {
    const digits = '18446744073709551617'
    let body = ''
    answer = (request, response) => {
      body = request.body
      response.end('{}')
    }
    const graph = { nodes: [get('call', { method: 'POST', body: { id: 0 } })], edges: [] }
    const id = await publish(ana, graph)
    const headers = { 'content-type': 'application/json' }
    const text = JSON.stringify({ graph }).replace('"id":0', `"id":${digits}`)
    const stored = await ana.send('PUT', `${workflowsPath}/${id}`, { body: text, headers })
    expect(stored.text).toContain(`"id":${digits}`)
    expect((await ana.get(`${workflowsPath}/${id}/export`)).text).toContain(`"id":${digits}`)
    await publishWorkflow(ana, id)
    await finished(ana, (await startByHand(ana, id)).body.id)
    expect(body).toBe(`{"id":${digits}}`)
  })

  it('sees the same input in templates as in expressions, and warns where a placeholder leads nowhere', async () => {
    const paths: string[] = []
    answer = (request, response) => {
      paths.push(request.path)
      response.end('{}')
    }
    const call = get('call', {
      method: 'POST',
      url: `${site.origin}/{{ input.sum }}/{{ state.input.a }}/{{ input.summ }}/{{ first.sum }}`,
      body: { deep: ['{{ first.gone[0] }}', '{{ input.summ }}'] },
    })
    const nodes = [node('first', { fields: { sum: 'input["a"] + 1', none: 'None' } }), call]
    const run = await runThrough(ana, { nodes, edges: [edge('first', 'call')] }, { a: 1 })
    expect(paths).toEqual(['/2/1//2'])
    expect(run.steps).toMatchObject([
      { node_id: 'first', warnings: [] },
      {
        node_id: 'call',
        status: 'succeeded',
        warnings: [
          '{{ input.summ }} leads nowhere, so it was left empty.',
          '{{ first.gone[0] }} leads nowhere, so it was left empty.',
        ],
      },
    ])
  })

  it('is refused before publication, and for strangers there is no such workflow', async () => {
    const draft = await makeWorkflow(ana)
    expect(await startByHand(ana, draft.id)).toMatchObject({ status: 409, body: { code: 'workflow_not_published' } })
    const eve = await app.user()
    expect(await startByHand(eve, draft.id)).toMatchObject({ status: 404, body: { code: 'workflow_not_found' } })
  })

  it('is found by several states, by its trigger, by its time and as a test', async () => {
    const graph = { nodes: [node('only', { fields: { x: '1 / input' } })], edges: [] }
    const id = await publish(ana, graph)
    const ids: string[] = []
    for (const input of [1, 0]) ids.push((await finished(ana, (await startByHand(ana, id, input)).body.id)).id)
    const test = await ana.post(`${workflowsPath}/${id}/test-runs`, { input: 1 })
    ids.push((await finished(ana, test.body.id)).id)
    const list = async (query: string): Promise<string[]> => {
      const { body } = await ana.get(`${workflowsPath}/${id}/runs?${query}`)
      return body.data.map((run: { id: string }) => ids.indexOf(run.id)).sort()
    }
    expect(await list('status=failed')).toEqual([1])
    expect(await list('status=failed,succeeded')).toEqual([0, 1, 2])
    expect(await list('status=failed,succeeded&is_test=false')).toEqual([0, 1])
    expect(await list('is_test=true')).toEqual([2])
    expect(await list('trigger=cron,event')).toEqual([])
    expect(await list('trigger=manual,event')).toEqual([0, 1, 2])
    const now = Math.floor(app.clock.now().getTime() / 1000)
    expect(await list(`from=${now - 600}&to=${now + 600}`)).toEqual([0, 1, 2])
    expect(await list(`to=${now - 600}`)).toEqual([])
    expect((await ana.get(`${workflowsPath}/${id}/runs?status=failed,lost`)).status).toBe(422)
  })

  it('is listed page by page, newest first', async () => {
    const id = await publish(ana, { nodes: [node('only')], edges: [] })
    const started = []
    for (let count = 0; count < 3; count++) started.unshift((await startByHand(ana, id)).body.id)
    const first = await ana.get(`${workflowsPath}/${id}/runs?limit=2`)
    const second = await ana.get(`${workflowsPath}/${id}/runs?limit=2&cursor=${first.body.next_cursor}`)
    const seen = [...first.body.data, ...second.body.data].map((run: { id: string }) => run.id)
    expect(seen).toEqual(started)
    expect(second.body.next_cursor).toBeNull()
    expect((await ana.get(`${workflowsPath}/${id}/runs?limit=2&cursor=page-two`)).status).toBe(422)
  })
})

describe('branches', () => {
  const branches = {
    nodes: [
      node('choose', { expression: 'input["amount"] > 100' }, 'condition'),
      node('large', { fields: { size: '"large"' } }),
      node('small', { fields: { size: '"small"' } }),
      node('after', { fields: { seen: 'input["size"]' } }),
    ],
    edges: [
      edge('choose', 'large', 'true'),
      edge('choose', 'small', 'false'),
      edge('large', 'after'),
      edge('small', 'after'),
    ],
  }

  it('are left out when not chosen, and a join does not wait for them', async () => {
    const run = await runThrough(ana, branches, { amount: 500 })
    expect(run.output).toEqual({ seen: 'large' })
    expect(stepsOf(run)).toEqual({ choose: 'succeeded', large: 'succeeded', small: 'skipped', after: 'succeeded' })
  })

  it('run side by side, and their join sees both', async () => {
    // Nobody is answered before both are there: one after the other would never end.
    const waiting: (() => void)[] = []
    answer = (_request, response) => {
      waiting.push(() => response.end('x'))
      if (waiting.length === 2) for (const reply of waiting) reply()
    }
    const graph = {
      nodes: [
        node('start'),
        get('left'),
        get('right'),
        node('join', { fields: { both: 'sorted(list(input.keys()))' } }),
      ],
      edges: [edge('start', 'left'), edge('start', 'right'), edge('left', 'join'), edge('right', 'join')],
    }
    const run = await runThrough(ana, graph)
    expect(run).toMatchObject({ status: 'succeeded', output: { both: ['left', 'right'] } })
  })
})

describe('a failing node', () => {
  it('fails the run in words that name it, and leaves nothing under way', async () => {
    answer = (_request, response) => response.writeHead(404).end()
    const run = await runThrough(ana, { nodes: [get('gone'), node('next')], edges: [edge('gone', 'next')] })
    expect(run).toMatchObject({ status: 'failed', error: 'Node gone: The server responded with status 404.' })
    expect(run.steps).toMatchObject([{ node_id: 'gone', status: 'failed', attempt: 1 }])
  })

  it('is tried again where that can help, and not after a refusal', async () => {
    let count = 0
    answer = (_request, response) => {
      count += 1
      response.writeHead(count < 3 ? 503 : 200, { 'content-type': 'application/json' }).end('{"ok":true}')
    }
    const retry = { max_attempts: 3, initial_delay_ms: 1, max_delay_ms: 1 }
    const run = await runThrough(ana, { nodes: [get('flaky', { retry })], edges: [] })
    expect(run).toMatchObject({ status: 'succeeded', output: { status: 200, body: { ok: true } } })
    expect(run.steps.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'succeeded'],
    ])
    const keys = site.requests.slice(-3).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys)).toEqual(new Set([`${run.id}:flaky`]))
  })

  it('with on_error "continue" continues along its error branch, and only there', async () => {
    answer = (_request, response) => response.writeHead(400).end()
    const graph = {
      nodes: [get('risky', { on_error: 'continue' }), node('good'), node('bad', { fields: { why: 'input["error"]' } })],
      edges: [edge('risky', 'good'), edge('risky', 'bad', 'error')],
    }
    const run = await runThrough(ana, graph)
    expect(run).toMatchObject({ status: 'succeeded', output: { why: 'The server responded with status 400.' } })
    expect(stepsOf(run)).toEqual({ risky: 'failed', good: 'skipped', bad: 'succeeded' })
  })

  it('that called a server shows the status, headers and body of the reply, also to the nodes along error', async () => {
    answer = (_request, response) =>
      response.writeHead(422, { 'content-type': 'application/json', 'x-reason': 'stock' }).end('{"left":0}')
    const after = node('after', { fields: { left: 'input["body"]["left"]', status: 'input["status"]' } })
    const graph = { nodes: [get('order', { on_error: 'continue' }), after], edges: [edge('order', 'after', 'error')] }
    expect(await runThrough(ana, graph)).toMatchObject({ status: 'succeeded', output: { left: 0, status: 422 } })
    const failed = await runThrough(ana, { nodes: [get('order')], edges: [] })
    expect(failed.steps).toMatchObject([
      { status: 'failed', output: { status: 422, headers: { 'x-reason': 'stock' }, body: { left: 0 } } },
    ])
  })

  it('waits long for a server that says so, and is parked meanwhile', async () => {
    let count = 0
    answer = (_request, response) => {
      count += 1
      response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '600' }).end()
    }
    const id = await publish(ana, { nodes: [get('busy', { retry: { max_attempts: 2 } })], edges: [] })
    const { body } = await startByHand(ana, id)
    const laid = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    expect(laid.steps).toMatchObject([{ status: 'retrying', error: 'The server responded with status 429.' }])
    app.clock.forward({ minutes: 11 })
    expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded' })
  })

  it('goes to private addresses no more than anybody', async () => {
    const target = node('inside', { url: 'http://127.0.0.1:1/', retry: { max_attempts: 1 } }, 'http_request')
    const run = await runThrough(ana, { nodes: [target], edges: [] })
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('may not be reached') })
  })
})

describe('retry', () => {
  it('is a new run that keeps the finished results and begins at the failed node', async () => {
    let isWell = false
    answer = (_request, response) => response.writeHead(isWell ? 200 : 400).end('fine')
    const graph = { nodes: [get('before'), get('after')], edges: [edge('before', 'after')] }
    answer = ({ path }, response) => response.writeHead(path === '/before' || isWell ? 200 : 400).end('fine')
    const failed = await runThrough(ana, graph)
    expect(failed.status).toBe('failed')
    isWell = true
    const seen = site.requests.length
    const again = await ana.post(`${runsPath}/${failed.id}/retry`)
    expect(again).toMatchObject({ status: 202, body: { retry_of: failed.id } })
    const run = await finished(ana, again.body.id)
    expect(run).toMatchObject({ status: 'succeeded', output: { body: 'fine' } })
    expect(site.requests.slice(seen).map(({ path }) => path)).toEqual(['/after'])
    expect(await readRun(ana, failed.id)).toMatchObject({ status: 'failed' })
    const kept = run.steps.find(({ node_id }) => node_id === 'before')
    expect(kept?.offset_ms).toBeLessThan(0)
    const line = await ana.get(`${runsPath}?retry_of=${failed.id}`)
    expect(line.body.data).toMatchObject([{ id: run.id }])
    expect(await ana.post(`${runsPath}/${run.id}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'run_not_retryable' },
    })
  })

  it('is made once when two ask for it, and not beside one that is under way', async () => {
    answer = (_request, response) => response.writeHead(400).end()
    const failed = await runThrough(ana, { nodes: [get('stuck')], edges: [] })
    const held: (() => void)[] = []
    answer = (_request, response) => void held.push(() => response.writeHead(400).end())
    const retry = (id: string) => ana.post(`${runsPath}/${id}/retry`)
    const replies = await Promise.all([retry(failed.id), retry(failed.id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(await retry(failed.id)).toMatchObject({ status: 409, body: { code: 'run_active' } })
    while (held.length === 0) await sleep(5)
    held[0]?.()
    const second = await finished(ana, replies.find(({ status }) => status === 202)?.body.id)
    // Two of one line, asked at once: the line is one.
    const both = await Promise.all([retry(failed.id), retry(second.id)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    while (held.length === 1) await sleep(5)
    held[1]?.()
    await finished(ana, both.find(({ status }) => status === 202)?.body.id)
  })
})

describe('cancel', () => {
  it('cuts short what runs, and stays the end', async () => {
    let hasLeft = false
    answer = (_request, response) => void response.on('close', () => (hasLeft = true))
    const id = await publish(ana, { nodes: [get('endless')], edges: [] })
    const seen = site.requests.length
    const { body } = await startByHand(ana, id)
    while (site.requests.length === seen) await sleep(5)
    expect(await ana.post(`${runsPath}/${body.id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    })
    while (!hasLeft) await sleep(5)
    const run = await readRun(ana, body.id)
    expect(run).toMatchObject({ status: 'cancelled', steps: [{ node_id: 'endless', status: 'cancelled' }] })
    expect(await ana.post(`${runsPath}/${body.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'run_finished' },
    })
  })
})

describe('time', () => {
  it('a wait lays the run down until its time has come', async () => {
    const graph = {
      nodes: [node('pause', { seconds: 3600 }, 'wait'), node('next', { fields: { seen: 'input' } })],
      edges: [edge('pause', 'next')],
    }
    const { body } = await startByHand(ana, await publish(ana, graph), 'kept')
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    app.clock.forward({ minutes: 61 })
    expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded', output: { seen: 'kept' } })
  })

  it('waiting does not count towards the deadline, however often a run waits', async () => {
    const nodes = [node('pause', { seconds: 360_000 }, 'wait'), node('next', { seconds: 30 }, 'wait')]
    const settings = { deadline_sec: 60 }
    const { body } = await startByHand(ana, await publish(ana, { nodes, edges: [edge('pause', 'next')], settings }))
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    app.clock.forward({ minutes: 6001 })
    await runWhere(ana, body.id, ({ status, steps }) => status === 'waiting' && steps.length === 2)
    const run = await app.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(run.waitedMs).toBeGreaterThanOrEqual(360_000_000)
    expect(run.deadlineAt.getTime() - run.createdAt.getTime() - run.waitedMs).toBe(60_000)
    app.clock.forward({ minutes: 1 })
    expect((await finished(ana, body.id)).status).toBe('succeeded')
  })

  it('where waiting counts, a run does not outlive its deadline', async () => {
    const nodes = [node('pause', { event_type: 'never' }, 'wait')]
    const settings = { deadline_sec: 60, deadline_counts_waiting: true }
    const id = await publish(ana, { nodes, edges: [], settings })
    const { body } = await startByHand(ana, id)
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    app.clock.forward({ minutes: 2 })
    expect(await finished(ana, body.id)).toMatchObject({ status: 'timed_out', steps: [{ status: 'cancelled' }] })
  })

  it('a node does not outlive its timeout', async () => {
    answer = () => undefined
    const run = await runThrough(ana, { nodes: [get('slow', { timeout_sec: 1 })], edges: [] })
    expect(run).toMatchObject({ status: 'failed', error: 'Node slow: The node took longer than 1 seconds.' })
  })
})

describe('workflows in workflows', () => {
  it('one that calls another waits for what it comes to', async () => {
    const called = await publish(ana, { nodes: [node('double', { fields: { twice: 'input * 2' } })], edges: [] })
    const graph = { nodes: [node('call', { workflow_id: called, input: '{{ input.n }}' }, 'subworkflow')], edges: [] }
    const run = await runThrough(ana, graph, { n: 21 })
    expect(run).toMatchObject({ status: 'succeeded', output: { twice: 42 } })
    const children = await ana.get(`${runsPath}?parent_run_id=${run.id}`)
    expect(children.body.data).toMatchObject([{ workflow_id: called, parent_node_id: 'call', trigger: 'subworkflow' }])
  })

  it('for_each has its results in the order of the items, and no more at once than it says', async () => {
    let [active, most] = [0, 0]
    answer = ({ path }, response) => {
      active += 1
      most = Math.max(most, active)
      response.on('finish', () => (active -= 1))
      setTimeout(() => response.end(path), path.endsWith('0') ? 40 : 5)
    }
    const each = node('ask', { url: `${site.origin}/item/{{ input }}` }, 'http_request')
    const called = await publish(ana, { nodes: [each], edges: [] })
    const items = node('all', { items: 'input', workflow_id: called, parallel: 3 }, 'for_each')
    const graph = {
      nodes: [items, node('end', { fields: { bodies: '[one["body"] for one in input]' } })],
      edges: [edge('all', 'end')],
    }
    const run = await runThrough(ana, graph, [0, 1, 2, 3, 4, 5, 6])
    expect(run.output).toEqual({ bodies: [0, 1, 2, 3, 4, 5, 6].map((item) => `/item/${item}`) })
    expect(most).toBeLessThanOrEqual(3)
  })

  it('fails with the one that was called, and says why', async () => {
    const called = await publish(ana, { nodes: [node('wrong', { fields: { x: '1 / 0' } })], edges: [] })
    const graph = { nodes: [node('call', { workflow_id: called }, 'subworkflow')], edges: [] }
    const run = await runThrough(ana, graph)
    expect(run.status).toBe('failed')
    expect(run.error).toMatch(/Node call: The called workflow failed: Node wrong: ZeroDivisionError/)
  })
})

describe('the live view', () => {
  it('shows each step as it goes, and ends with the run', async () => {
    answer = (_request, response) => void setTimeout(() => response.end('x'), 50)
    const id = await publish(ana, { nodes: [get('one'), get('two')], edges: [edge('one', 'two')] })
    const { body } = await startByHand(ana, id)
    const { text } = await ana.get(`${runsPath}/${body.id}/stream`)
    const frames = text.split('\n\n').filter((frame: string) => frame.startsWith('event:'))
    const last = JSON.parse(frames.at(-1)?.split('data: ')[1] ?? '')
    expect(last).toMatchObject({ id: body.id, status: 'succeeded' })
    expect(text).toMatch(/event: step\ndata: .*"node_id":"two".*"status":"succeeded"/)
    const eve = await app.user()
    expect((await eve.get(`${runsPath}/${body.id}/stream`)).status).toBe(404)
  })
})

it('progress is found for more ids than a statement takes parameters', async () => {
  const ids = Array.from({ length: 70_000 }, () => app.unknownId())
  expect(await findRunProgressUnscoped(app.db, ids)).toEqual(new Map())
})
