/** The baseline: `node:http` writing a body to a file, synced, without inspecting it. */
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder = ''] = process.argv.slice(2)
let count = 0
const server = createServer(async (request, reply) => {
  count += 1
  const path = join(folder, `bare-${count}`)
  const file = await open(path, 'wx')
  await file.writeFile(request)
  await file.sync()
  const { size } = await file.stat()
  await file.close()
  await rm(path)
  reply.end(JSON.stringify({ size }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
