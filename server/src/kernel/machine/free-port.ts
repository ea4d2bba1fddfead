/** A port that nobody listens on. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export const findFreePort = async (host: string): Promise<number> => {
  const listener = createServer().listen(0, host)
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return port
}
