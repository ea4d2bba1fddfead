/** Invites someone by email. */
import { type Invitation, InviteBody } from '@chancery/contract/organizations/team.ts'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { type Fields, useForm } from '#lib/form/form.ts'
import { roleNames } from '#lib/text/role-names.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useInvite } from './api.ts'

interface InviteDialogProps {
  isOpen: boolean
  /** The email couldn't go out: the link has to be handed over. */
  onUndelivered: (invitation: Invitation) => void
  onClose: () => void
}

export function InviteDialog({ isOpen, ...rest }: InviteDialogProps) {
  const mailed = useHasMailServer() === false ? '' : 'We’ll email them a link to join. '
  return (
    <Dialog
      title="Invite people"
      hint={`${mailed}Each invitation takes a seat until it’s accepted.`}
      isOpen={isOpen}
      onClose={rest.onClose}
    >
      <InviteForm {...rest} />
    </Dialog>
  )
}

const bodyOf = ({ email, name = '', role }: Fields) => ({ email, role, ...(name.trim() !== '' && { name }) })

function InviteForm({ onUndelivered, onClose }: Omit<InviteDialogProps, 'isOpen'>) {
  const invite = useInvite()
  const hasMail = useHasMailServer()
  const form = useForm({
    schema: InviteBody,
    body: bodyOf,
    fieldOfCode: { already_member: 'email', already_invited: 'email' },
    send: async (body) => {
      const invitation = await invite(body)
      const { email, mailSent, canCopyLink } = invitation
      if (canCopyLink) onUndelivered(invitation)
      else if (mailSent) toast.done(`Invitation sent to ${email}`)
      else toast.failed(new Error(`${email} is invited, but the email couldn’t be sent. Resend it.`))
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="off" inputMode="email" required />
      </Field>
      <Field
        label="Name"
        name="name"
        isOptional
        problem={form.problems.name}
        help="They can change it when they accept."
      >
        <TextInput autoComplete="off" />
      </Field>
      <Field label="Role" name="role" help="Admins can invite people and manage sign-in.">
        <Select>
          <option value="ROLE_USER">{roleNames.ROLE_USER}</option>
          <option value="ROLE_ORG_ADMIN">{roleNames.ROLE_ORG_ADMIN}</option>
        </Select>
      </Field>
      <NoMailNote>You’ll get a link to send to them yourself.</NoMailNote>
      <DialogFormActions form={form} onCancel={onClose}>
        {hasMail === false ? 'Invite' : 'Send invitation'}
      </DialogFormActions>
    </form>
  )
}
