/**
 * Five hundred streams at once through Chancery, each twenty chunks a tenth of a second apart: the memory of the server
 * process at its peak, in total (limit 300 MB) and per stream, and whether every stream was complete. Then the memory
 * after they have ended. A missed limit fails the run.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../lib/child.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const streams = 500
const paceMs = 100
const limitMb = 300
const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Speak slowly.' }], stream: true })

/** True if the stream was complete. */
const follow = (url: string, key: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const sent = request(`${url}/api/chat/completions`, { method: 'POST', agent, headers }, (reply) => {
      let last = ''
      reply.on('data', (piece) => {
        last = (last + piece).slice(-40)
      })
      reply.on('close', () => resolve(reply.complete && last.trimEnd().endsWith('data: [DONE]')))
    })
    sent.on('error', () => resolve(false))
    sent.end(body)
  })

export const run = async (): Promise<void> => {
  const provider = await startPeer('./provider.ts', [String(paceMs)])
  const server = await startServer({ COMPAT_API_BASE_URL: `${provider.url}/v1` })
  const { key } = await signUp(server.url)
  const agent = new Agent({ keepAlive: true })
  await follow(server.url, key, agent)
  // Its heap is compacted two seconds after the start.
  await sleep(4000)
  const idleMb = server.residentMb()

  let highestMb = idleMb
  const watching = setInterval(() => {
    highestMb = Math.max(highestMb, server.residentMb())
  }, 50)
  const processorBefore = server.processorMs()
  const outcomes = await Promise.all(Array.from({ length: streams }, () => follow(server.url, key, agent)))
  const processorMs = server.processorMs() - processorBefore
  clearInterval(watching)
  agent.destroy()
  await sleep(3000)

  const whole = outcomes.filter(Boolean).length
  const perStreamKb = ((highestMb - idleMb) * 1024) / streams
  console.log(`idle          ${idleMb.toFixed(0)} MB`)
  console.log(`at its height ${highestMb.toFixed(0)} MB in all (≤ ${limitMb}), ${perStreamKb.toFixed(0)} kB per stream`)
  console.log(`afterwards    ${server.residentMb().toFixed(0)} MB`)
  console.log(`processor     ${(processorMs / streams).toFixed(2)} ms per stream`)
  console.log(`streams       ${whole} of ${streams} came whole`)
  if (highestMb > limitMb || whole < streams) process.exitCode = 1
  await server.stop()
  await provider.stop()
}
