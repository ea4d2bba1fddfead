/** What calls to tool servers of either kind share. Failures are sentences for the model. */
import { AppError } from '#kernel/errors.ts'
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
const maxImageLength = 4_000_000

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

interface Pictures {
  /** The tool that made them. */
  name: string
  /** `data` in base64. */
  images: readonly { data: string; mimeType: string }[]
}

/**
 * Shows pictures with the message, and returns what the model is told. They are stored once, as files of the caller: the
 * event goes to every tab and is stored with the chat, so it only names them.
 */
export const showImages = async (
  { files }: Pick<PluginsContext, 'files'>,
  { actor, messageId, emit }: ToolContext,
  { name, images }: Pictures,
): Promise<string> => {
  const fitting = images.filter(({ data, mimeType }) => imageType.test(mimeType) && data.length <= maxImageLength)
  if (messageId === null || fitting.length === 0) return 'The tool made an image that can’t be shown here.'
  const shown = await Promise.all(
    fitting.map(async ({ data, mimeType }) => {
      const bytes = Buffer.from(data, 'base64')
      const picture = { name: `${name}.${mimeType.slice('image/'.length)}`, contentType: mimeType, bytes }
      const { id } = await files.store(actor, picture)
      return { type: 'image', id, name: picture.name, url: `/api/v1/files/${id}/content` }
    }),
  )
  emit({ type: 'files', data: { files: shown } })
  return 'The image is shown to the user.'
}
