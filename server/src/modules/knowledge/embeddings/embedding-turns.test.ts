import { expect, it } from 'vitest'
import { createEmbeddingTurns } from './embedding-turns.ts'

const { signal } = new AbortController()
const payer = (id: string) => ({ kind: 'user', id, organizationId: null }) as const

it('lets one batch wait for the engine at a time, tenant by tenant, and questions at any time', async () => {
  const inTurn = createEmbeddingTurns()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const task = (tenant: string) =>
    new Promise<void>((resolve) => {
      begun.push(tenant)
      ends.push(resolve)
    })
  const index = (id: string) => inTurn({ payer: payer(id), signal }, task)
  const all = [index('ana'), index('ana'), index('ana'), index('bo')]
  all.push(inTurn({ payer: payer('bo'), signal, isQuestion: true }, task))
  await expect.poll(() => begun.length).toBe(2)
  for (let ended = 0; ended < all.length; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended)
    ends[ended]?.()
  }
  await Promise.all(all)
  expect(begun).toContain('question of bo')
  expect(begun.filter((tenant) => !tenant.startsWith('question'))).toEqual(['ana', 'ana', 'bo', 'ana'])
})

it('ends the turn of a batch that fails', async () => {
  const inTurn = createEmbeddingTurns()
  const failing = inTurn({ payer: payer('ana'), signal }, () => Promise.reject(new Error('no memory')))
  await expect(failing).rejects.toThrow('no memory')
  expect(await inTurn({ payer: payer('bo'), signal }, async (tenant) => tenant)).toBe('bo')
})
