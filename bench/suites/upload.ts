/**
 * Uploads 200 MB, compared with a bare `node:http` server that writes the same bytes to a file: the growth of the
 * server's memory (limit 50 MB), the throughput and the processor time. Ours also parses, hashes and records the blob.
 * The first upload counts too: it is the one for which nothing is allocated yet.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Peer, startPeer } from '../lib/child.ts'
import { startPostgres } from '../lib/postgres.ts'

const megabyte = 1_000_000
const sizeMb = 200
const rounds = 3
const limitMb = 50
const piece = Buffer.alloc(65_536, 'chancery ')
const boundary = 'bench-boundary'
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`
const tail = `\r\n--${boundary}--\r\n`

/** Milliseconds until the reply was read. */
const send = (url: string, megabytes: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const bytes = megabytes * megabyte
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + tail.length,
    }
    const sent = request(`${url}/api/public/upload`, { method: 'POST', headers }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () =>
        text.includes('"size":') ? resolve(performance.now() - begin) : reject(new Error(`the upload failed: ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.write(head)
    let left = bytes
    const write = (): void => {
      while (left > 0) {
        const next = left < piece.length ? piece.subarray(0, left) : piece
        left -= next.length
        if (!sent.write(next)) {
          sent.once('drain', write)
          return
        }
      }
      sent.end(tail)
    }
    write()
  })

interface Measured {
  ms: number
  processorMs: number
  grownMb: number
}

const measure = async (peer: Peer): Promise<Measured> => {
  const idleMb = peer.residentMb()
  let highestMb = idleMb
  const watching = setInterval(() => {
    highestMb = Math.max(highestMb, peer.residentMb())
  }, 20)
  const before = peer.processorMs()
  const ms = await send(peer.url, sizeMb)
  clearInterval(watching)
  return { ms, processorMs: peer.processorMs() - before, grownMb: highestMb - idleMb }
}

const lowest = (all: Measured[], of: keyof Measured): number => Math.min(...all.map((one) => one[of]))

export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-bench-upload-'))
  const postgres = await startPostgres()
  const ours = await startPeer('./upload-server.ts', [postgres.url, folder])
  const bare = await startPeer('./bare-upload.ts', [folder])
  const results: Record<'ours' | 'bare', Measured[]> = { ours: [], bare: [] }
  for (const peer of [ours, bare]) await send(peer.url, 20)
  const [first] = [await measure(ours), await measure(bare)]
  for (let round = 0; round < rounds; round += 1) {
    results.bare.push(await measure(bare))
    results.ours.push(await measure(ours))
  }
  for (const [name, all] of Object.entries(results))
    console.log(
      `${name.padEnd(5)} ${((sizeMb / lowest(all, 'ms')) * 1000).toFixed(0)} MB/s  processor ${lowest(all, 'processorMs').toFixed(0)} ms  growth ${all.map(({ grownMb }) => grownMb.toFixed(0)).join(', ')} MB`,
    )
  const grownMb = Math.max(first.grownMb, ...results.ours.map((one) => one.grownMb))
  console.log(`ratio ${(lowest(results.bare, 'ms') / lowest(results.ours, 'ms')).toFixed(2)} of the bare throughput`)
  console.log(
    `growth of ours at most ${grownMb.toFixed(0)} MB (≤ ${limitMb}), in the first upload ${first.grownMb.toFixed(0)} MB`,
  )
  if (grownMb > limitMb) process.exitCode = 1
  await ours.stop()
  await bare.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
