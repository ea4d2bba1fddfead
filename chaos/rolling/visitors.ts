/** People whose requests take a while: streams of a model and uploads under way, and browsers that listen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { socketEvent, socketPath } from '../../contract/src/chats/events.ts'
import { bearer, type Client } from '../../server/test/harness/client.ts'
import { makeChat } from '../../server/test/harness/new-chat.ts'
import { slowPieces } from '../traffic/slow-answer.ts'

interface Visit {
  address: string
  token: string
  isOver(): boolean
  onFailed(why: string): void
}

const question = { model: 'swift', stream: true, messages: [{ role: 'user', content: 'SLOWLY please' }] }
const patienceMs = 30_000
/** After a failure. */
const pauseMs = 300

const contentOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta?.content ?? '')
    .join('')

/** Reads one stream after the other. Resolves with the number of those that were whole. */
export const readStreams = async ({ address, token, isOver, onFailed }: Visit): Promise<number> => {
  let whole = 0
  const headers = { ...bearer(token), 'content-type': 'application/json' }
  while (!isOver())
    try {
      const signal = AbortSignal.timeout(patienceMs)
      const body = JSON.stringify(question)
      const reply = await fetch(`${address}/api/chat/completions`, { method: 'POST', headers, body, signal })
      const text = await reply.text()
      if (contentOf(text) !== slowPieces.join('') || !text.includes('[DONE]'))
        throw new Error(`${reply.status} ${text.slice(-100)}`)
      whole += 1
    } catch (problem) {
      onFailed(`stream: ${problem}`)
      await sleep(pauseMs)
    }
  return whole
}

const parts = 5
const betweenPartsMs = 400

/** Sends files slowly, one after the other, and each again until it is taken. Resolves with their ids. */
export const sendFiles = async ({ address, token, isOver, onFailed }: Visit): Promise<string[]> => {
  const taken: string[] = []
  while (!isOver())
    try {
      const form = new FormData()
      form.set('file', new Blob([`Number ${taken.length}. ${'Ships and harbours. '.repeat(2000)}`]), 'notes.txt')
      const whole = new Response(form)
      const headers = { ...bearer(token), 'content-type': whole.headers.get('content-type') ?? '' }
      const body = inParts(new Uint8Array(await whole.arrayBuffer()))
      const url = `${address}/api/v1/files/?process=false`
      const signal = AbortSignal.timeout(patienceMs)
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, signal, duplex: 'half' }
      const reply = await fetch(url, init)
      if (!reply.ok) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 100)}`)
      taken.push(((await reply.json()) as { id: string }).id)
    } catch (problem) {
      onFailed(`upload: ${problem}`)
      await sleep(pauseMs)
    }
  return taken
}

const inParts = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  const size = Math.ceil(bytes.length / parts)
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      await sleep(betweenPartsMs)
      controller.enqueue(bytes.subarray(at, at + size))
      at += size
      if (at >= bytes.length) controller.close()
    },
  })
}

/** Those of the files that can't be read any more. */
export const findLostFiles = async (person: Client, ids: readonly string[]): Promise<string[]> => {
  const lost: string[] = []
  for (const [number, id] of ids.entries()) {
    const { status, text } = await person.get(`/api/v1/files/${id}/content`)
    if (status !== 200 || !text.startsWith(`Number ${number}. `)) lost.push(id)
  }
  return lost
}

export interface Browsers {
  /** All are connected, and each hears what is told to its person. Rejects when that takes too long. */
  hear(): Promise<void>
  close(): void
}

const transports = [['websocket'], ['polling', 'websocket'], ['polling'], ['websocket']]

export const openBrowsers = async (person: Client, { address, token }: Pick<Visit, 'address' | 'token'>) => {
  const { chatId, messageId } = await makeChat(person)
  const heard = new Map<Socket, Set<number>>()
  const browsers = transports.map((each) => {
    const socket = io(address, { path: socketPath, transports: each, forceNew: true, auth: { token } })
    heard.set(socket, new Set())
    socket.on(socketEvent, ({ data }) => heard.get(socket)?.add(data.data?.seq))
    return socket
  })
  let seq = 0
  const tell = async (): Promise<number> => {
    seq += 1
    const path = `/api/v1/chats/${chatId}/messages/${messageId}/event`
    const { status, text } = await person.post(path, { type: 'status', data: { description: 'x', seq } })
    if (status >= 300) throw new Error(`telling a chat: ${status} ${text}`)
    return seq
  }
  return {
    hear: async () => {
      const untilMs = performance.now() + patienceMs
      // A socket that connects again misses what is told before it has.
      while (performance.now() < untilMs) {
        const number = await tell()
        await sleep(pauseMs)
        if (browsers.every((socket) => heard.get(socket)?.has(number))) return
      }
      throw new Error(`browsers are deaf: ${browsers.map(({ connected }) => connected).join()}`)
    },
    close: () => {
      for (const socket of browsers) socket.disconnect()
    },
  } satisfies Browsers
}
