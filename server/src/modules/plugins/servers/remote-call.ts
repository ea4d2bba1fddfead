/** What calls to tool servers of either kind share. Failures are sentences for the model. */
import { AppError } from '#kernel/errors.ts'
import { cleanFileName } from '#kernel/http/file-name.ts'
import type { Tool, ToolContext, ToolResult } from '#modules/tools/index.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import type { RemoteTool } from './remote-tool.ts'
import type { Asking } from './request-headers.ts'

export interface OpenServer extends ToolServerRecord {
  key: string | null
}

export const listMs = 10_000
export const callMs = 110_000
/** In base64. */
const maxFileLength = 6_000_000

export type Run = (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>

export const toolOf = ({ name, description, parameters }: RemoteTool, run: Run): Tool => ({
  name,
  description,
  parameters,
  run: async (args, context) => {
    try {
      return await run(args, context)
    } catch (problem) {
      context.signal.throwIfAborted()
      throw new AppError('tool_failed', { detail: reasonOf(problem) })
    }
  },
})

/** Without addresses and keys: the model and the person read it. */
export const reasonOf = (problem: unknown): string =>
  problem instanceof AppError
    ? problem.message
    : `The tool server failed: ${String((problem as Error)?.message).slice(0, 300)}`

export interface Call {
  asking: Asking
  signal: AbortSignal
}

export const callOf = ({ actor, chatId, messageId, signal }: ToolContext): Call => ({
  asking: { actor, chatId, messageId },
  signal,
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
  { files, kernel }: Pick<PluginsContext, 'files' | 'kernel'>,
  { actor, messageId, emit }: ToolContext,
  { toolName, made }: { toolName: string; made: readonly Made[] },
): Promise<string> => {
  const fitting = made.filter(({ data }) => data.length <= maxFileLength)
  if (messageId === null || fitting.length === 0) return 'The tool made a file that can’t be shown here.'
  const shown: { type: 'image' | 'file'; id: string; name: string; url: string }[] = []
  try {
    for (const { data, mimeType, name: given } of fitting) {
      const name = cleanFileName(given ?? `${toolName.slice(0, 100)}.${extensionOf(mimeType)}`)
      const { id } = await files.store(actor, { name, contentType: mimeType, bytes: Buffer.from(data, 'base64') })
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
