/** The review of a workflow: where it stands, what would change, what is in the way, and the next step to take. */
import type { Workflow } from '@chancery/contract/workflows.ts'
import { MessageSquareText } from 'lucide-react'
import { usePerson } from '#lib/viewer.ts'
import { Panel } from '#ui/layout.tsx'
import { useVersions } from '../versions/api.ts'
import { type NodeLink, ProblemsList } from './problems-list.tsx'
import { stagesOf } from './review-words.ts'
import { Decision, SubmitForm } from './step-forms.tsx'
import { Stepper } from './stepper.tsx'

interface ReviewPanelProps {
  workflow: Workflow
  nodeLink: NodeLink
}

/** An organization's administrators review; whoever has no organization reviews what is theirs. */
const useIsReviewer = () => {
  const { role, organizationId } = usePerson()
  return organizationId === null || role === 'ROLE_ORG_ADMIN'
}

export function ReviewPanel({ workflow, nodeLink }: ReviewPanelProps) {
  const { data: versions } = useVersions(workflow.id)
  const isReviewer = useIsReviewer()
  const live = versions?.find(({ live: isLive }) => isLive)
  return (
    <Panel
      title="Review"
      hint="Only what was reviewed runs. A draft is submitted, and a reviewer publishes it or hands it back."
    >
      <div className="flex flex-col gap-6">
        <Stepper stages={stagesOf(workflow, live)} />
        <Notes workflow={workflow} />
        {workflow.problems.length > 0 && <ProblemsList workflow={workflow} nodeLink={nodeLink} />}
        <NextStep workflow={workflow} isReviewer={isReviewer} />
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
        {isRejection ? 'Why it was handed back' : 'Notes for the reviewer'}
        {review_step && <span className="font-normal text-soft">by {review_step.by.name}</span>}
      </figcaption>
      <blockquote className="whitespace-pre-wrap">{review_notes}</blockquote>
    </figure>
  )
}

function NextStep({ workflow, isReviewer }: { workflow: Workflow; isReviewer: boolean }) {
  const { status, problems, graph } = workflow
  if (status === 'Published')
    return <p className="text-soft">Nothing to review. Edit the graph, and the change can be submitted here.</p>
  if (status === 'Staged')
    return isReviewer ? (
      <Decision workflow={workflow} />
    ) : (
      <p className="text-soft">
        It waits for an administrator of your organization. Editing it takes it back to a draft.
      </p>
    )
  if (graph.nodes.length === 0)
    return <p className="text-soft">The graph is still empty. Add a node in the editor, then submit it here.</p>
  if (problems.length > 0) return <p className="text-soft">Mend what is listed above, then submit it here.</p>
  return <SubmitForm workflow={workflow} isReviewer={isReviewer} />
}
