/**
 * Every error the service can answer, in one table: code → status, kind and the sentence a person reads.
 * The server throws by code, the web app explains by code, and docs/ERRORS.md is generated from here.
 */
import { z } from 'zod'
import { accountsErrors } from './errors/accounts.ts'
import { chatsErrors } from './errors/chats.ts'
import { requestErrors } from './errors/request.ts'
import { signingErrors } from './errors/signing.ts'
import { workflowsErrors } from './errors/workflows.ts'

export type { ErrorKind } from './errors/entry.ts'

export const errorTable = {
  ...requestErrors,
  ...accountsErrors,
  ...chatsErrors,
  ...workflowsErrors,
  ...signingErrors,
} as const

export type ErrorCode = keyof typeof errorTable

export const FieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
  /** A position in a longer text, both from 1. */
  line: z.int().optional(),
  column: z.int().optional(),
})
export type FieldProblem = z.infer<typeof FieldProblem>

export const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(FieldProblem)]),
  code: z.string(),
  request_id: z.string(),
  /** Where traces are recorded. */
  trace_id: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
