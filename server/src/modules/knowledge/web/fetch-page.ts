/** Fetches one address as readable text, through the guarded client: 10 MB and 15 s at most. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type ExtractedText, ProcessingFailure } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'

const maxBytes = 10 * 1024 * 1024
const totalMs = 15_000
/** As robots.txt names us. */
export const agentName = 'Chancery'
export const userAgent = `${agentName}/1.0 (web page reader)`

export interface FetchedPage {
  /** After redirects. */
  url: string
  title: string
  contentType: string
  bytes: Buffer
  text: ExtractedText
}

export const fetchPage = async (
  { files, outbound }: Pick<KnowledgeContext, 'files' | 'outbound'>,
  { actor, url, signal }: { actor: Actor; url: string; signal: AbortSignal },
): Promise<FetchedPage> => {
  const headers = {
    accept: 'text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5',
    'user-agent': userAgent,
  }
  const reply = await outbound.fetch(url, { headers, maxBytes, totalMs, signal })
  if (reply.status < 200 || reply.status > 299) {
    reply.discard()
    throw new AppError('page_not_readable', { detail: `The page answered with status ${reply.status}.` })
  }
  const bytes = await reply.bytes()
  const [type = '', ...parameters] = (reply.headers.get('content-type') ?? '').split(';')
  const charset = /charset\s*=\s*"?([\w-]{2,40})/i.exec(parameters.join(';'))?.[1]
  const text = await readable(files, {
    bytes,
    charset,
    url: reply.url,
    tenant: actor.organizationId ?? actor.id,
    signal,
  })
  return { url: reply.url, title: text.title || titleOf(reply.url), contentType: cleanType(type), bytes, text }
}

interface Body {
  bytes: Buffer
  charset: string | undefined
  url: string
  tenant: string
  signal: AbortSignal
}

const readable = async (files: KnowledgeContext['files'], { bytes, url, ...rest }: Body): Promise<ExtractedText> => {
  const body = (async function* () {
    yield bytes
  })()
  try {
    return await files.extract({ name: new URL(url).pathname, body, isPage: true, ...rest })
  } catch (problem) {
    if (problem instanceof ProcessingFailure) throw new AppError('page_not_readable', { detail: problem.message })
    throw problem
  }
}

const cleanType = (type: string): string => {
  const clean = type.trim().toLowerCase()
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(clean) ? clean : 'application/octet-stream'
}

const titleOf = (address: string): string => {
  const { hostname, pathname } = new URL(address)
  return `${hostname}${pathname === '/' ? '' : pathname}`.slice(0, 200)
}
