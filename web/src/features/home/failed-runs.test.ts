import { expect, it } from 'vitest'
import { failedSince } from './failed-runs.ts'

const run = (id: string, more: object = {}) => ({
  id,
  status: 'failed' as const,
  retry_of: null as string | null,
  parent_run_id: null,
  created_at: 100,
  ...more,
})

it('leaves out runs that were retried, are old, belong to another, or did not fail', () => {
  const runs = [
    run('retry', { status: 'succeeded', retry_of: 'retried' }),
    run('retried'),
    run('new'),
    run('late', { status: 'timed_out' }),
    run('child', { parent_run_id: 'new' }),
    run('old', { created_at: 10 }),
  ]
  expect(failedSince(runs, 50).map(({ id }) => id)).toEqual(['new', 'late'])
})
