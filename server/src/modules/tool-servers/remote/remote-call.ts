/** Shared by calls to tool servers of either kind. Failures are sentences for the model. */
import { isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import { AppError } from '#kernel/errors.ts'
import { cleanFileName } from '#kernel/http/bodies/file-name.ts'
import { hideSecrets, type Secrets, secretsIn } from '#kernel/redact/secret-spellings.ts'
import type { Tool, ToolContext, ToolResult } from '#modules/tools/index.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import type { RemoteTool } from './remote-tool.ts'
import type { Asking } from './request-headers.ts'
import type { Headers } from './server-headers.ts'

export interface OpenServer extends ToolServerRecord {
  key: string | null
  headers: Headers
}

export const listMs = 10_000
export const callMs = 110_000
/** In base64. */
const maxFileLength = 6_000_000

/** The context of a server's tool: texts and pictures of the server pass `hide`. */
export interface RemoteContext extends ToolContext {
  hide(text: string): string
  /** A secret that this call is sent with, and that the server's settings don't have: a person's own token. */
  addSecret(secret: string): void
}

export type Run = (args: Record<string, unknown>, context: RemoteContext) => Promise<ToolResult>

/** The server may repeat what it was sent: chats, runs and other servers don't get its key. */
export const toolOf = (
  { name, description, parameters }: RemoteTool,
  server: Pick<OpenServer, 'key' | 'headers'>,
  run: Run,
): Tool => {
  const secrets = knownSecretsOf(server)
  return {
    name,
    description: hideSecrets(description, secrets),
    parameters,
    run: async (args, context) => {
      let hidden = secrets
      const hide = (text: string): string => hideSecrets(text, hidden)
      const addSecret = (secret: string): void => {
        hidden = secretsIn(...secretsOf(server), secret)
      }
      try {
        const result = await run(args, { ...context, hide, addSecret })
        return { ...result, content: hide(result.content) }
      } catch (problem) {
        context.signal.throwIfAborted()
        throw new AppError('tool_failed', { detail: hide(reasonOf(problem)) })
      }
    },
  }
}

const known = new WeakMap<object, Secrets>()

/** Worked out once for all tools of a server. */
const knownSecretsOf = (server: Pick<OpenServer, 'key' | 'headers'>): Secrets => {
  const secrets = known.get(server) ?? secretsIn(...secretsOf(server))
  known.set(server, secrets)
  return secrets
}

/** Of a header with placeholders, what is written beside them. */
const secretsOf = ({ key, headers }: Pick<OpenServer, 'key' | 'headers'>): string[] => [
  ...(key === null ? [] : [key]),
  ...Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name) ? value.split(/\{\{[A-Z_]{1,40}\}\}/) : [],
  ),
]

/** Without addresses and keys: the model and the person read it. */
export const reasonOf = (problem: unknown): string =>
  problem instanceof AppError
    ? problem.message
    : `The tool server failed: ${String((problem as Error)?.message).slice(0, 300)}`

export interface Call {
  asking: Asking
  signal: AbortSignal
  addSecret?(secret: string): void
}

export const callOf = ({ actor, chatId, messageId, signal, addSecret }: RemoteContext): Call => ({
  asking: { actor, chatId, messageId },
  signal,
  addSecret,
})

const imageType = /^image\/(png|jpeg|gif|webp)$/

/** A picture or another file that a tool made. `data` is base64; `name` where the server gives one. */
export interface Made {
  data: string
  mimeType: string
  name?: string | undefined
}

/**
 * Shows what a tool made with the message, and returns what the model is told. It is stored once, as files of the caller:
 * the event goes to every tab and is stored with the chat, so it only names them. When one can't be stored, none is.
 */
export const showFiles = async (
  { files, kernel }: Pick<ToolServersContext, 'files' | 'kernel'>,
  { actor, messageId, emit, hide }: RemoteContext,
  { toolName, made }: { toolName: string; made: readonly Made[] },
): Promise<string> => {
  const fitting = made.filter(({ data }) => data.length <= maxFileLength)
  if (messageId === null || fitting.length === 0) return 'The tool made a file that can’t be shown here.'
  const shown: { type: 'image' | 'file'; id: string; name: string; url: string }[] = []
  try {
    for (const { data, mimeType, name: given } of fitting) {
      const name = cleanFileName(hide(given ?? `${toolName.slice(0, 100)}.${extensionOf(mimeType)}`))
      const sent = Buffer.from(data, 'base64')
      const bytes = isText(mimeType) ? Buffer.from(hide(sent.toString())) : sent
      const { id } = await files.store(actor, { name, contentType: mimeType, bytes })
      const type = imageType.test(mimeType) ? 'image' : 'file'
      shown.push({ type, id, name, url: `/api/v1/files/${id}/content` })
    }
  } catch (problem) {
    const ids = shown.map(({ id }) => id)
    await kernel.db.transaction().execute((tx) => files.deleteUnscoped(tx, ids))
    throw problem
  }
  emit({ type: 'files', data: { files: shown } })
  return `${shown.map(({ name }) => name).join(', ')}: shown to the user.`
}

/** `png` of `image/png`; nothing that could lead into another folder. */
const extensionOf = (mimeType: string): string => /\/([a-z0-9]{1,10})$/.exec(mimeType)?.[1] ?? 'bin'

/** The model reads these itself, also where the server sends them as a file. */
export const isText = (mimeType: string): boolean =>
  /^(text\/|application\/([\w.+-]{1,100}\+)?(json|xml|yaml|x-ndjson)$)/i.test(mimeType)
