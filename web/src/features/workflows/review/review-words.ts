/** Where a workflow stands in its review, in words: who did what, when, and what a refusal means. */
import type { VersionItem, Workflow, WorkflowStatus } from '@chancery/contract/workflows.ts'
import type { ApiError } from '#lib/api-error.ts'

export interface Stage {
  status: WorkflowStatus
  title: string
  /** What happened, and who did it where that is known: `Submitted by Emil Novak`. */
  note: string
  /** When, in Unix seconds. */
  at?: number
  state: 'done' | 'current' | 'ahead'
}

type Facts = Pick<Workflow, 'status' | 'author' | 'updated_at' | 'review_step' | 'live_version'>
type Live = Pick<VersionItem, 'version' | 'author' | 'timestamp'>

const order: readonly WorkflowStatus[] = ['Draft', 'Staged', 'Published']

/** The three stages, with what is known of each. `live` is the version that was published last. */
export function stagesOf(workflow: Facts, live: Live | undefined): Stage[] {
  const { status } = workflow
  const stateOf = (stage: WorkflowStatus): Stage['state'] => {
    if (stage === status) return 'current'
    return order.indexOf(stage) < order.indexOf(status) ? 'done' : 'ahead'
  }
  return [
    { ...{ status: 'Draft', title: 'Draft', state: stateOf('Draft') }, ...draftWords(workflow) },
    { ...{ status: 'Staged', title: 'In review', state: stateOf('Staged') }, ...stagedWords(workflow) },
    {
      ...{ status: 'Published', title: 'Published', state: stateOf('Published') },
      ...publishedWords(workflow, live),
    },
  ]
}

type Words = Pick<Stage, 'note' | 'at'>

const draftWords = ({ status, author, updated_at, review_step }: Facts): Words => {
  if (status !== 'Draft') return { note: `Made by ${author.name}` }
  if (review_step) return { note: `Handed back by ${review_step.by.name}`, at: review_step.at }
  return { note: `Made by ${author.name}, changed`, at: updated_at }
}

/** By its number alone while the version itself is not known: it may lie far back in the list. */
const publishedWords = ({ live_version }: Facts, live: Live | undefined): Words => {
  if (live) return { note: `Version ${live.version} by ${live.author.name}`, at: live.timestamp }
  return { note: live_version === null ? 'Not published yet' : `Version ${live_version}` }
}

const stagedWords = ({ status, review_step }: Facts): Words => {
  if (status === 'Staged' && review_step) return { note: `Submitted by ${review_step.by.name}`, at: review_step.at }
  return { note: status === 'Published' ? 'Approved' : 'Submit the draft to get here' }
}

/** What a refused step means for whoever took it; undefined where the server's own sentence says enough. */
export function sayRefusal(error: ApiError): string | undefined {
  if (error.code === 'graph_changed')
    return 'It was changed while you were looking at it. What you see now is the new state: read it again, then decide.'
  if (error.code === 'workflow_not_staged')
    return 'It is no longer waiting for review: it was edited, or somebody else has decided meanwhile.'
  if (error.code === 'workflow_not_draft') return 'It has been submitted already.'
  if (error.code === 'graph_invalid') return 'Something it needs is missing or wrong by now. The list says what.'
  return undefined
}
