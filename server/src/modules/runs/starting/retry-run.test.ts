/** A line of retries: gone on with at its end, and done once one of them has succeeded. */
import { describe, expect, it } from 'vitest'
import { finished, readRun, runsPath, runThrough } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, node } from '#test/harness/workflows.ts'

let well: readonly string[] = []
const app = await sharedApp(({ path }, response) => response.writeHead(well.includes(path) ? 200 : 400).end('fine'))
const { site } = app
const ana = await app.user()

const post = (id: string) =>
  node(id, { method: 'POST', url: `${site.origin}/${id}`, retry: { max_attempts: 1 } }, 'http_request')
const graph = {
  nodes: [post('one'), post('two'), post('three')],
  edges: [edge('one', 'two'), edge('two', 'three')],
}
const retry = (id: string) => ana.post(`${runsPath}/${id}/retry`)
const asked = (path: string) => site.requests.filter((request) => request.path === path).length

describe('a run that was retried', () => {
  it('is gone on with where its newest retry failed, and does nothing again that one of them has done', async () => {
    const unresolved = async () => {
      const { body } = await ana.get(`${runsPath}?status=failed,timed_out,failed&unresolved=true`)
      return body.data.map(({ id }: { id: string }) => id)
    }
    well = ['/one']
    const first = await runThrough(ana, graph)
    expect(await unresolved()).toEqual([first.id])
    expect(first).toMatchObject({ status: 'failed', newest_retry: null })
    well = ['/one', '/two']
    const second = await finished(ana, (await retry(first.id)).body.id)
    expect(second).toMatchObject({ status: 'failed', newest_retry: null })
    expect(await unresolved()).toEqual([second.id])
    expect(await readRun(ana, first.id)).toMatchObject({ newest_retry: { id: second.id, status: 'failed' } })

    well = ['/one', '/two', '/three']
    const again = await retry(first.id)
    expect(again).toMatchObject({ status: 202, body: { retry_of: first.id } })
    const third = await finished(ana, again.body.id)
    expect(third.status).toBe('succeeded')
    expect(await unresolved()).toEqual([])
    expect(['/one', '/two', '/three'].map(asked)).toEqual([1, 2, 2])

    for (const earlier of [first, second]) {
      expect(await retry(earlier.id)).toMatchObject({ status: 409, body: { code: 'run_retried' } })
      const newest_retry = { id: third.id, status: 'succeeded' }
      expect(await readRun(ana, earlier.id)).toMatchObject({ status: 'failed', newest_retry })
    }
    expect(await retry(third.id)).toMatchObject({ status: 409, body: { code: 'run_not_retryable' } })
    expect((await ana.get(`${runsPath}?retry_of=${first.id}`)).body.data).toHaveLength(2)
  })

  it('finds its newest retry also where the one before was made by a node whose clock is ahead', async () => {
    well = ['/one']
    const first = await runThrough(ana, graph)
    const second = await finished(ana, (await retry(first.id)).body.id)
    const ahead = new Date(Date.now() + 3_600_000)
    await app.db.updateTable('runs').set({ createdAt: ahead }).where('id', '=', second.id).execute()
    well = ['/one', '/two', '/three']
    const third = await finished(ana, (await retry(first.id)).body.id)
    expect(await readRun(ana, first.id)).toMatchObject({ newest_retry: { id: third.id, status: 'succeeded' } })
    expect(await retry(first.id)).toMatchObject({ status: 409, body: { code: 'run_retried' } })
  })
})
