/** Checks a workflow file before it is sent, so a wrong file gets a helpful message. */
import { WorkflowFileBody } from '@chancery/contract/workflows/workflows.ts'
import { problemText } from '#lib/problems/problem-text.ts'
import { readJson } from '../json-text.ts'

type Read = { file: unknown } | { problem: string }

export function readWorkflowFile(text: string): Read {
  const { value, problem } = readJson(text)
  if (problem !== undefined) return { problem: `Couldn’t read the file. ${problem}` }
  const parsed = WorkflowFileBody.safeParse(value)
  if (parsed.success) return { file: parsed.data }
  const isOurs = (value as { format?: unknown } | undefined)?.format === 'chancery-workflow'
  if (!isOurs) return { problem: 'This isn’t a Chancery workflow file.' }
  const [issue] = parsed.error.issues
  return {
    problem: `There’s a problem with ${issue?.path.join('.') ?? 'the file'}: ${problemText(issue?.message ?? '')}`,
  }
}
