/** The review of a workflow: its stage, what would change, open problems, and the next step. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { MessageSquareText } from 'lucide-react'
import { useCan } from '#data/viewer.ts'
import { Panel } from '#ui/page/layout.tsx'
import { useVersions } from '../versions/api.ts'
import { ActsAs } from './acts-as.tsx'
import { type NodeLink, ProblemsList } from './problems-list.tsx'
import { stagesOf } from './review-labels.ts'
import { Decision, SubmitForm } from './step-forms.tsx'
import { Stepper } from './stepper.tsx'

interface ReviewPanelProps {
  workflow: Workflow
  nodeLink: NodeLink
}

export function ReviewPanel({ workflow, nodeLink }: ReviewPanelProps) {
  const { data: versions } = useVersions(workflow.id)
  const isReviewer = useCan('review-workflows')
  const live = versions?.find(({ live: isLive }) => isLive)
  return (
    <Panel title="Review" hint="Only reviewed versions run. Submit a draft; a reviewer then publishes or rejects it.">
      <div className="flex flex-col gap-6">
        <Stepper stages={stagesOf(workflow, live)} />
        <Notes workflow={workflow} />
        {workflow.problems.length > 0 && <ProblemsList workflow={workflow} nodeLink={nodeLink} />}
        <NextStep workflow={workflow} isReviewer={isReviewer} />
        <ActsAs workflow={workflow} isReviewer={isReviewer} />
      </div>
    </Panel>
  )
}

function Notes({ workflow: { status, review_notes, review_step } }: { workflow: Workflow }) {
  if (!review_notes) return null
  const isRejection = status === 'Draft'
  return (
    <figure className={`rounded-panel border px-4 py-3 ${isRejection ? 'border-warn/40 bg-warn-wash' : 'bg-sunken'}`}>
      <figcaption className="mb-1 flex items-center gap-2 font-medium text-sm">
        <MessageSquareText aria-hidden className="size-4 text-faint" />
        {isRejection ? 'Reason for rejection' : 'Notes for the reviewer'}
        {review_step && <span className="font-normal text-soft">by {review_step.by.name}</span>}
      </figcaption>
      <blockquote className="whitespace-pre-wrap">{review_notes}</blockquote>
    </figure>
  )
}

function NextStep({ workflow, isReviewer }: { workflow: Workflow; isReviewer: boolean }) {
  const { status, problems, graph } = workflow
  if (status === 'Published')
    return <p className="text-soft">There’s nothing to review. Edit the graph, then submit your changes here.</p>
  if (status === 'Staged')
    return isReviewer ? (
      <Decision workflow={workflow} />
    ) : (
      <p className="text-soft">Waiting for an admin of your organization. Editing it turns it back into a draft.</p>
    )
  if (graph.nodes.length === 0)
    return <p className="text-soft">The workflow has no nodes yet. Add one in the editor, then submit it here.</p>
  if (problems.length > 0) return <p className="text-soft">Fix the problems listed above, then submit it here.</p>
  return <SubmitForm workflow={workflow} isReviewer={isReviewer} />
}
