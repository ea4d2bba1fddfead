/** The messages format at both of its paths, and token counting. */
import * as endpoints from '@chancery/contract/endpoints/completions.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { MessagesFormatContext } from './context.ts'
import { countTokens } from './count-tokens.ts'
import { createMessage } from './create-message.ts'
import { messagesErrorShape } from './errors.ts'

/** Images are sent inside the body; this is that API's own limit. */
const maxBodyBytes = 32 * 1024 * 1024
/** A block takes longer to check than other JSON. Ten thousand messages have half as many parts. */
const maxBodyParts = 60_000

const common = {
  access: 'signedIn',
  keyHeaders: ['x-api-key'],
  errorShape: messagesErrorShape,
  maxBodyBytes,
  maxBodyParts,
} as const

export const messageRoutes = (context: MessagesFormatContext): Route[] =>
  (['/api/v1/messages', '/api/message'] as const).flatMap((path) => [
    route({
      ...endpoints.createMessage,
      ...common,
      path,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'A reply of a model, in the messages format; streamed as server-sent events with `stream`',
      handle: ({ actor, body, http }) => createMessage(context, actor, { body, http }),
    }),
    route({
      ...endpoints.countTokens,
      ...common,
      path: `${path}/count_tokens` as const,
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Estimate the number of tokens of a request in the messages format',
      handle: async ({ actor, body }) => {
        await context.models.resolve(actor, body.model)
        return { input_tokens: countTokens(body) }
      },
    }),
  ])
