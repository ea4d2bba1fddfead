/** Shared by all parts of the signing page: the link, the language, and the card for pages with a single message. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import { type ComponentType, createContext, type ReactNode, use } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import type { Wording } from './texts/texts.ts'

export interface CardProps {
  title: string
  hint?: ReactNode
  children?: ReactNode
}

export interface SigningContextValue extends Wording {
  token: string
  Card: ComponentType<CardProps>
}

export const SigningContext = createContext<SigningContextValue | undefined>(undefined)

export function useSigning(): SigningContextValue {
  const value = use(SigningContext)
  if (value === undefined) throw new Error('used outside of the signing page')
  return value
}

/** The server's sentences are English: they are shown to those who read it, others get one in their language. */
export function failureText(wording: Wording, error: unknown): string {
  const { language, texts } = wording
  if (!(error instanceof ApiError)) return texts.unreachable
  if (error.code === 'unreachable') return texts.unreachable
  if (error.code === 'invalid_otp') return texts.code.wrong
  if (error.code === 'otp_locked') return texts.code.locked
  if (error.code === 'fields_missing') return texts.finish.missing
  if (error.code === 'document_expired') return texts.closed.expired
  if (error.code === 'document_finished') return texts.closed.other
  if (error.retryAfterSec !== undefined) return texts.tooMany(error.retryAfterSec)
  const [problem] = error.problems
  if (problem) return fieldProblemText(wording, problem)
  return error.status >= 500 || language !== 'en' ? texts.failed : error.message
}

/** The page checks values before it sends them, so what the server still refuses is text that can't be drawn, or not there. */
export function fieldProblemText({ language, texts }: Wording, { msg, type }: FieldProblem): string {
  if (language === 'en') return msg
  if (type === 'required') return texts.problem.required
  if (type === 'value_too_long') return texts.problem.doesNotFit
  return type === 'invalid_value' ? texts.problem.unprintable : texts.failed
}
