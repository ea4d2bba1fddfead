/**
 * `/api/v1/messages` and `/api/message`: requests and replies in the format of the second messages API. Objects are
 * open, since that API keeps adding fields; a block type that we can't turn into a chat completion is refused by name.
 */
import { z } from 'zod'
import { CompletionBody } from './completions.ts'

const unsupported = 'Blocks of type'

/** Text or blocks. A block that is not supported is named in the error, also one inside a tool's result. */
const content = <Block extends z.ZodDiscriminatedUnion | z.ZodObject>(block: Block, maxBlocks = 5000) =>
  z.union([z.string(), z.array(block).max(maxBlocks)], {
    error: (issue) => {
      const types = Array.isArray(issue.input) ? issue.input.map((one: { type?: unknown } | null) => one?.type) : []
      const unknown = types.find(
        (type) => !block.safeParse({ type }).error?.issues.every(({ path }) => path[0] !== 'type'),
      )
      if (unknown !== undefined) return `${unsupported} ${JSON.stringify(unknown)} are not supported here.`
      const inside = issue.code === 'invalid_union' ? issue.errors.flat() : []
      return inside.find(({ message }) => message.startsWith(unsupported))?.message
    },
  })

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() })

const ImageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('base64'), media_type: z.string().max(100), data: z.string().min(1) }),
    z.looseObject({ type: z.literal('url'), url: z.string().min(1).max(20_000) }),
  ]),
})

const DocumentBlock = z.looseObject({
  type: z.literal('document'),
  title: z.string().nullish(),
  context: z.string().nullish(),
  source: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('base64'), media_type: z.string().max(100), data: z.string().min(1) }),
    z.looseObject({ type: z.literal('text'), data: z.string() }),
    z.looseObject({
      type: z.literal('content'),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock])).max(2000)]),
    }),
  ]),
})

const SearchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(TextBlock).max(2000),
})

const ToolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
})

/** The result of a tool search; the tool itself is in `tools`. */
const ToolReferenceBlock = z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string().max(200) })

const ResultPart = z.discriminatedUnion('type', [
  TextBlock,
  ImageBlock,
  DocumentBlock,
  SearchResultBlock,
  ToolReferenceBlock,
])

const ToolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1).max(200),
  content: content(ResultPart, 2000).optional(),
  is_error: z.boolean().nullish(),
})

const ThinkingBlock = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().nullish(),
})
const RedactedThinkingBlock = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() })

export const UserBlock = z.discriminatedUnion('type', [
  TextBlock,
  ImageBlock,
  DocumentBlock,
  SearchResultBlock,
  ToolReferenceBlock,
  ToolResultBlock,
])
export const AssistantBlock = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
])

export const FormatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: content(UserBlock) }),
  z.looseObject({ role: z.literal('assistant'), content: content(AssistantBlock) }),
  z.looseObject({ role: z.literal('system'), content: content(TextBlock) }),
])

/** Only tools that the caller runs; tools on that API's own servers are not supported. */
const ToolDefinition = z.looseObject({
  type: z.literal('custom').nullish(),
  name: z.string().min(1).max(200),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
})

const parallel = { disable_parallel_tool_use: z.boolean().optional() }
const ToolChoice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auto'), ...parallel }),
  z.looseObject({ type: z.literal('any'), ...parallel }),
  z.looseObject({ type: z.literal('tool'), name: z.string().min(1).max(200), ...parallel }),
  z.looseObject({ type: z.literal('none') }),
])

const OutputConfig = z.looseObject({
  effort: z.string().max(20).nullish(),
  format: z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
})

/** For both routes. */
const prompt = {
  model: z.string().min(1).max(300),
  messages: z.array(FormatMessage).min(1).max(10_000),
  system: content(TextBlock).optional(),
  tools: z.array(ToolDefinition).max(500).optional(),
  tool_choice: ToolChoice.optional(),
}

/** Our own fields, as in a chat completion. */
const own = CompletionBody.pick({
  chat_id: true,
  id: true,
  session_id: true,
  background_tasks: true,
  features: true,
  variables: true,
  filter_ids: true,
  files: true,
  tool_ids: true,
}).shape

export const MessagesBody = z.looseObject({
  ...prompt,
  max_tokens: z.int().min(1).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  stop_sequences: z.array(z.string()).max(100).optional(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
  thinking: z.looseObject({ type: z.string().max(40), budget_tokens: z.int().optional() }).optional(),
  output_config: OutputConfig.optional(),
  ...own,
})

export const CountTokensBody = z.looseObject(prompt)

/** An estimate: the model's tokenizer is not used. */
export const TokenCount = z.object({ input_tokens: z.int() })

export const FormatErrorType = z.enum([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'overloaded_error',
  'timeout_error',
  'api_error',
])

export type UserBlock = z.infer<typeof UserBlock>
export type AssistantBlock = z.infer<typeof AssistantBlock>
export type TextBlock = z.infer<typeof TextBlock>
export type ImageBlock = z.infer<typeof ImageBlock>
export type DocumentBlock = z.infer<typeof DocumentBlock>
export type ToolReferenceBlock = z.infer<typeof ToolReferenceBlock>
export type SearchResultBlock = z.infer<typeof SearchResultBlock>
export type ToolResultBlock = z.infer<typeof ToolResultBlock>
export type FormatMessage = z.infer<typeof FormatMessage>
export type MessagesBody = z.infer<typeof MessagesBody>
export type CountTokensBody = z.infer<typeof CountTokensBody>
export type FormatErrorType = z.infer<typeof FormatErrorType>
