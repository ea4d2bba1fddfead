/** An agent's model calls: GET `/api/v1/agent-runs/{run_id}/steps/{step_id}/model-calls`. */
import { z } from 'zod'

const ToolUse = z.object({
  id: z.string(),
  name: z.string(),
  /** As the model wrote them. */
  arguments: z.string(),
  /** The text that the model got; null while the tool runs, and for a call that was not run or was interrupted. */
  result: z.string().nullable(),
  duration_ms: z.int().nullable(),
})
export type ToolUse = z.infer<typeof ToolUse>

/** Texts are cut where they are too long, which the text says, and secrets are hidden. */
export const ModelCall = z.object({
  /** Counts from 1 in each attempt. */
  number: z.int(),
  model: z.string(),
  /** Messages that are not repeated here: those of the call before, its answer and the results of its tools. */
  earlier_messages: z.int(),
  /** The other messages, as the agent sent them. The model's own system prompt and passages of knowledge are only named. */
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  /** The names of the tools that the model was offered. */
  tools: z.array(z.string()),
  settings: z.object({
    temperature: z.number().optional(),
    max_tokens: z.int().optional(),
    /** The kind of format the answer should have, such as `json_schema`. */
    response_format: z.string().optional(),
  }),
  /** Null when the call failed. */
  answer: z.string().nullable(),
  tool_calls: z.array(ToolUse),
  finish_reason: z.string().nullable(),
  error: z.string().nullable(),
  /** Null when the provider didn't report them. */
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  /** Null when there was no price for it. */
  cost: z.number().nullable(),
  started_at: z.int(),
  /** Milliseconds from the start of the step. */
  offset_ms: z.int(),
  duration_ms: z.int(),
  /** Something of it was too long to be kept. */
  is_cut: z.boolean(),
})
export type ModelCall = z.infer<typeof ModelCall>
export const ModelCallList = z.object({ data: z.array(ModelCall) })
