/** The retention period of the organization's answered approvals, for its admins. */
import { type ApprovalRetention, ApprovalRetentionBody } from '@chancery/contract/workflows/runs.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useApprovalRetention, useSaveRetention } from '../answers/api.ts'

export function ApprovalRetentionPanel() {
  const retention = useApprovalRetention()
  return (
    <Panel
      title="Approvals"
      hint="Who answered an approval of a workflow, when, and what they were shown is kept as evidence, also after the run is deleted."
    >
      {retention.isPending && (
        <Loading label="Loading settings">
          <Skeleton className="h-9" />
        </Loading>
      )}
      {retention.isError && <ErrorPanel error={retention.error} onRetry={retention.refetch} />}
      {retention.data && <RetentionForm key={retention.data.days} {...retention.data} />}
    </Panel>
  )
}

function RetentionForm({ days, audit_log_days }: ApprovalRetention) {
  const save = useSaveRetention()
  const form = useForm({
    schema: ApprovalRetentionBody,
    body: (fields) => ({ days: fields.days === '' ? null : Number(fields.days) }),
    send: async (body) => {
      await save(body)
      toast.done('Approvals saved')
    },
  })
  if (audit_log_days === null && days === null)
    return <p className="text-soft">Approvals are kept forever, like the audit log.</p>
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-5">
      <Field
        label="Keep answered approvals for (days)"
        name="days"
        isOptional
        problem={form.problems.days}
        help={`Empty keeps them forever. The audit log is kept ${audit_log_days === null ? 'forever' : `for ${audit_log_days} days`}, and approvals at least as long.`}
      >
        <TextInput inputMode="numeric" defaultValue={days ?? ''} />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save
      </Button>
    </form>
  )
}
