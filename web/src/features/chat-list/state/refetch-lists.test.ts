import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatKeys } from '#data/chat-keys.ts'
import { actionKey, refetchLists } from './refetch-lists.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const asked = () => {
  const client = new QueryClient()
  const calls = vi.spyOn(client, 'invalidateQueries')
  return { client, count: () => calls.mock.calls.filter(([filter]) => filter?.queryKey === chatKeys.lists).length }
}

describe('refetching the lists', () => {
  it('happens once for requests at about the same time', async () => {
    const { client, count } = asked()
    for (let time = 0; time < 5; time += 1) refetchLists(client)
    await vi.advanceTimersByTimeAsync(300)
    expect(count()).toBe(1)
  })

  it('waits for a running chat action', async () => {
    const { client, count } = asked()
    const action = Promise.withResolvers<void>()
    const options = { mutationKey: actionKey, mutationFn: () => action.promise }
    void client.getMutationCache().build(client, options).execute(undefined)
    refetchLists(client)
    await vi.advanceTimersByTimeAsync(2000)
    expect(count()).toBe(0)
    action.resolve()
    await vi.advanceTimersByTimeAsync(300)
    expect(count()).toBe(1)
  })
})
