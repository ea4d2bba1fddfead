/** A collector of traces: takes OTLP over HTTP in JSON, and says what it was sent. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface SeenSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
  /** Of the process that sent it. */
  resource: Record<string, unknown>
}

export interface Collector {
  endpoint: string
  spans: SeenSpan[]
  headers: IncomingHttpHeaders[]
  /** How the next requests are answered; 200 unless set, and 0 for no answer at all. */
  status: number
  close(): Promise<void>
}

interface Written {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number; arrayValue?: object }
}

const attributesOf = (written: Written[]): Record<string, unknown> =>
  Object.fromEntries(
    written.map(({ key, value }) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  )

export const startCollector = async (): Promise<Collector> => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    collector.headers.push(request.headers)
    if (collector.status === 0) return
    if (collector.status === 200) {
      const bytes = Buffer.concat(pieces)
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      for (const { resource, scopeSpans } of JSON.parse(text.toString()).resourceSpans)
        for (const { spans } of scopeSpans)
          for (const span of spans)
            collector.spans.push({
              ...span,
              attributes: attributesOf(span.attributes),
              resource: attributesOf(resource.attributes),
            })
    }
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    status: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}
