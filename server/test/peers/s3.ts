/**
 * A small S3: objects by path, ranges, and signatures that are really verified (AWS Signature Version 4), as well as the
 * checksum of every upload. It knows nothing of multipart, which we do not use.
 */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Peer {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Stored objects, by key. */
  objects: Map<string, StoredObject>
  close(): Promise<void>
}

interface StoredObject {
  bytes: Buffer
  contentType: string
}

interface Call {
  request: IncomingMessage
  body: Buffer
}

interface Reply {
  status: number
  headers?: Record<string, string | number>
  body?: Buffer | string
}

const credentials = { accessKeyId: 'AKIDCHANCERYTEST', secretAccessKey: 'test-secret-of-the-peer', region: 'eu-test-1' }
const bucket = 'chancery-test'

export const startS3 = async (): Promise<S3Peer> => {
  const objects = new Map<string, StoredObject>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = { request, body: Buffer.concat(chunks) }
    const problem = problemWith(call)
    const { status, headers, body } = problem ? refusal(403, problem) : answer(call, objects)
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    ...credentials,
    objects,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const answer = ({ request, body }: Call, objects: Map<string, StoredObject>): Reply => {
  const [, foundBucket, ...rest] = pathOf(request).split('/')
  if (foundBucket !== bucket) return refusal(404, 'NoSuchBucket')
  const key = decodeURIComponent(rest.join('/'))
  switch (request.method) {
    case 'PUT':
      objects.set(key, { bytes: body, contentType: header(request, 'content-type') })
      return { status: 200, headers: { etag: `"${sha256(body).toString('hex')}"` } }
    case 'DELETE':
      objects.delete(key)
      return { status: 204 }
    case 'GET':
    case 'HEAD':
      return objectReply(objects.get(key), header(request, 'range'))
    default:
      return refusal(405, 'MethodNotAllowed')
  }
}

const objectReply = (found: StoredObject | undefined, wanted: string): Reply => {
  if (!found) return refusal(404, 'NoSuchKey')
  const { bytes, contentType } = found
  const type = { 'content-type': contentType }
  const range = /^bytes=(\d+)-(\d*)$/.exec(wanted)
  if (!range) return { status: 200, headers: { ...type, 'content-length': bytes.length }, body: bytes }
  const start = Number(range[1])
  const end = Math.min(range[2] ? Number(range[2]) : Infinity, bytes.length - 1)
  if (start >= bytes.length) return refusal(416, 'InvalidRange')
  const extent = { 'content-range': `bytes ${start}-${end}/${bytes.length}`, 'content-length': end - start + 1 }
  return { status: 206, headers: { ...type, ...extent }, body: bytes.subarray(start, end + 1) }
}

const refusal = (status: number, code: string): Reply => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''

const problemWith = ({ request, body }: Call): string | undefined => {
  if (header(request, 'content-encoding').includes('aws-chunked')) return 'NotImplemented'
  if (!isSigned(request)) return 'SignatureDoesNotMatch'
  const declared = header(request, 'x-amz-content-sha256')
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(body).toString('hex')) return 'XAmzContentSHA256Mismatch'
  const checksum = header(request, 'x-amz-checksum-sha256')
  if (request.method === 'PUT' && checksum !== sha256(body).toString('base64')) return 'BadDigest'
  return undefined
}

const isSigned = (request: IncomingMessage): boolean => {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, accessKeyId, day = '', region, signedNames = '', signature] =
    pattern.exec(header(request, 'authorization')) ?? []
  if (accessKeyId !== credentials.accessKeyId || region !== credentials.region) return false
  const names = signedNames.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.includes(name))) return false
  const canonical = [
    request.method,
    pathOf(request),
    (request.url ?? '').split('?')[1]?.split('&').sort().join('&') ?? '',
    ...names.map((name) => `${name}:${header(request, name).trim()}`),
    '',
    signedNames,
    header(request, 'x-amz-content-sha256'),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', header(request, 'x-amz-date'), scope, sha256(canonical).toString('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`)
  return hmac(key, text).toString('hex') === signature
}

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')
const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
