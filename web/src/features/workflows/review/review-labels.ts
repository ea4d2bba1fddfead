/** Texts for the stages of a review, and for failed steps. */
import type { VersionItem, Workflow, WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import type { ApiError } from '#lib/problems/api-error.ts'

export interface Stage {
  status: WorkflowStatus
  title: string
  /** The event and the person, if known: `Submitted by Emil Novak`. */
  note: string
  /** When, in Unix seconds. */
  at?: number
  state: 'done' | 'current' | 'ahead'
}

type Facts = Pick<Workflow, 'status' | 'author' | 'updated_at' | 'review_step' | 'live_version'>
type Live = Pick<VersionItem, 'version' | 'author' | 'timestamp'>

const order: readonly WorkflowStatus[] = ['Draft', 'Staged', 'Published']

/** The three stages, with what is known about each. `live` is the version published last. */
export function stagesOf(workflow: Facts, live: Live | undefined): Stage[] {
  const { status } = workflow
  const stateOf = (stage: WorkflowStatus): Stage['state'] => {
    if (stage === status) return 'current'
    return order.indexOf(stage) < order.indexOf(status) ? 'done' : 'ahead'
  }
  return [
    { status: 'Draft', title: 'Draft', state: stateOf('Draft'), ...draftStage(workflow) },
    { status: 'Staged', title: 'In review', state: stateOf('Staged'), ...reviewStage(workflow) },
    {
      status: 'Published',
      title: 'Published',
      state: stateOf('Published'),
      ...publishedStage(workflow, live),
    },
  ]
}

type Words = Pick<Stage, 'note' | 'at'>

const draftStage = ({ status, author, updated_at, review_step }: Facts): Words => {
  if (status !== 'Draft') return { note: `Created by ${author.name}` }
  if (review_step) return { note: `Rejected by ${review_step.by.name}`, at: review_step.at }
  return { note: `Created by ${author.name}, changed`, at: updated_at }
}

/** Only the number if the version itself isn't loaded: it may be far back in the list. */
const publishedStage = ({ live_version }: Facts, live: Live | undefined): Words => {
  if (live) return { note: `Version ${live.version} by ${live.author.name}`, at: live.timestamp }
  return { note: live_version === null ? 'Not published yet' : `Version ${live_version}` }
}

const reviewStage = ({ status, review_step }: Facts): Words => {
  if (status === 'Staged' && review_step) return { note: `Submitted by ${review_step.by.name}`, at: review_step.at }
  return { note: status === 'Published' ? 'Approved' : 'Submit the draft to start a review' }
}

/** Explains a failed step; undefined if the server's message is enough. */
export function stepErrorText(error: ApiError): string | undefined {
  if (error.code === 'graph_changed')
    return 'This workflow was changed while you were reviewing it. You now see the latest version: read it again before you decide.'
  if (error.code === 'workflow_not_staged')
    return 'This workflow is no longer in review: it was edited, or someone else has already decided.'
  if (error.code === 'workflow_not_draft') return 'This workflow has already been submitted.'
  if (error.code === 'graph_invalid') return 'Something is now missing or invalid. See the problems listed above.'
  return undefined
}
