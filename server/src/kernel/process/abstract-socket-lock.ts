/** Linux: the process that listens on the abstract socket holds the lock, and sends its pid to anyone who connects. */
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LockAttempt } from './lock-attempt.ts'

/** A holder that is just exiting refuses the question; then the name is free, or soon will be. */
const attempts = 5
const answerTimeoutMs = 1000

export const takeAbstractSocket = async (name: string): Promise<LockAttempt> => {
  // The leading NUL makes it abstract: no file, so nothing is left behind.
  const path = `\0${name}`
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const server = await listen(path)
    if (server) return { lock: { release: () => close(server) } }
    const answer = await askHolder(path)
    if (answer !== 'gone') return { heldBy: answer }
  }
  return { heldBy: undefined }
}

/** Undefined when somebody else listens. */
const listen = async (path: string): Promise<Server | undefined> => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(String(process.pid))
  })
  server.unref()
  server.listen({ path })
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
}

const askHolder = async (path: string): Promise<number | undefined | 'gone'> => {
  const socket = connect({ path })
  socket.setTimeout(answerTimeoutMs, () => socket.destroy())
  try {
    await once(socket, 'connect')
  } catch {
    return 'gone'
  }
  const answer = await text(socket).catch(() => '')
  return /^\d{1,10}$/.test(answer) ? Number(answer) : undefined
}

const close = async (server: Server): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  await closed
}
