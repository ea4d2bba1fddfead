import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatKeys } from '#lib/chat-keys.ts'
import { actionKey, askAnew } from './ask-anew.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const asked = () => {
  const client = new QueryClient()
  const calls = vi.spyOn(client, 'invalidateQueries')
  return { client, count: () => calls.mock.calls.filter(([filter]) => filter?.queryKey === chatKeys.lists).length }
}

describe('asking for the lists anew', () => {
  it('is done once for all that comes at about the same time', async () => {
    const { client, count } = asked()
    for (let time = 0; time < 5; time += 1) askAnew(client)
    await vi.advanceTimersByTimeAsync(300)
    expect(count()).toBe(1)
  })

  it('waits for what is being done with a chat', async () => {
    const { client, count } = asked()
    const action = Promise.withResolvers<void>()
    const options = { mutationKey: actionKey, mutationFn: () => action.promise }
    void client.getMutationCache().build(client, options).execute(undefined)
    askAnew(client)
    await vi.advanceTimersByTimeAsync(2000)
    expect(count()).toBe(0)
    action.resolve()
    await vi.advanceTimersByTimeAsync(300)
    expect(count()).toBe(1)
  })
})
