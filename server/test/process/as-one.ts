/** What two servers of one machine do together, without Redis. */
import { randomUUID } from 'node:crypto'
import { socketEvent, socketPath } from '@chancery/contract/chats/events.ts'
import { io, type Socket } from 'socket.io-client'
import { expect, vi } from 'vitest'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'

/** A connection of its own for each request, so that both servers get some. */
const fresh = { connection: 'close' }
const soon = { timeout: 30_000, interval: 50 }
const serverOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id')?.split('-')[0] ?? ''

export const register = async (address: string) => {
  const ana = { name: 'Ana Silva', email: `${randomUUID()}@example.org`, password: 'a long quiet river' }
  const { body } = await createClient(address, fresh).post('/api/auth/register', ana)
  return { token: body.token as string, ...createClient(address, { ...bearer(body.token), ...fresh }) }
}

type Registered = Awaited<ReturnType<typeof register>>

const open = (address: string, token: string, transports: string[]): Promise<Socket> => {
  const socket = io(address, { path: socketPath, transports, reconnection: false, forceNew: true, auth: { token } })
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
}

/** A socket hears what requests to either server cause. */
export const expectOneFanOut = async (address: string, ana: Registered, transports: string[]) => {
  const socket = await open(address, ana.token, transports)
  const heard: number[] = []
  socket.on(socketEvent, ({ data }) => data.data?.seq !== undefined && heard.push(data.data.seq))
  const { chatId, messageId } = await prepareChat(ana as unknown as Person)
  const path = `/api/v1/chats/${chatId}/messages/${messageId}/event`
  let seq = 0
  const send = () => {
    seq += 1
    return ana.post(path, { type: 'status', data: { description: 'x', seq } })
  }
  const servers = new Set<string>()
  await vi.waitFor(async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, send))
    for (const reply of replies) servers.add(serverOf(reply))
    expect(servers.size).toBe(2)
  }, soon)
  const sent = Array.from({ length: seq }, (_, index) => index + 1)
  await vi.waitFor(() => expect(heard.toSorted((a, b) => a - b)).toEqual(sent), soon)
  socket.disconnect()
}

/** An allowance of 100 is granted once, however the calls are spread. */
export const expectOneAllowance = async (address: string) => {
  const anybody = createClient(address, fresh)
  const guess = () => anybody.post('/api/auth/verify-email', { token: 'no such token' })
  const replies = await Promise.all(Array.from({ length: 130 }, guess))
  expect(replies.filter(({ status }) => status !== 429)).toHaveLength(100)
}

/** The server that is scraped answers for both. One that is too busy to answer it within a second is asked again. */
export const expectOneScrape = async (address: string, token: string) => {
  const scraper = createClient(address, bearer(token))
  await vi.waitFor(async () => {
    const { text } = await scraper.get('/metrics')
    expect(text).toContain('chancery_processes{state="answering"} 2')
    expect(text).toMatch(/requests_total\{method="POST",area="auth",status="429"\} 30/)
  }, soon)
}

/** More files at once than the machine reads at the same time: each gets its place, wherever it came in. */
export const expectFilesRead = async (ana: Registered) => {
  const upload = (_: unknown, index: number) =>
    uploadText(ana, `Text ${index}`, { query: 'process_in_background=false' })
  const replies = await Promise.all(Array.from({ length: 12 }, upload))
  expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200))
}
