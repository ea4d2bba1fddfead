/** Reads a workflow file before it is sent, so that a wrong one is named for what it is. */
import { WorkflowFileBody } from '@chancery/contract/workflows.ts'
import { readJson } from '../json-text.ts'

type Read = { file: unknown } | { problem: string }

export function readWorkflowFile(text: string): Read {
  const { value, problem } = readJson(text)
  if (problem !== undefined) return { problem: `The file cannot be read. ${problem}` }
  const parsed = WorkflowFileBody.safeParse(value)
  if (parsed.success) return { file: parsed.data }
  const isOurs = (value as { format?: unknown } | undefined)?.format === 'chancery-workflow'
  if (!isOurs) return { problem: 'This is no workflow file of Chancery.' }
  const [issue] = parsed.error.issues
  return { problem: `The file is not complete: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.` }
}
