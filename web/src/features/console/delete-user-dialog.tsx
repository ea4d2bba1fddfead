/** Deletes an account permanently. What the person owns goes to somebody else, or is deleted with it. */
import { UserDeletionBody, type UserRow } from '@chancery/contract/platform/platform.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { useDeleteUser, useUsers } from './api.ts'

interface DeleteUserDialogProps {
  user: UserRow
  isOpen: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteUserDialog({ user, isOpen, onClose, onDeleted }: DeleteUserDialogProps) {
  return (
    <Dialog
      title={`Delete ${user.name}?`}
      hint={`The account of ${user.email} is deleted permanently, and the address can be used by another account. This can’t be undone.`}
      isOpen={isOpen}
      onClose={onClose}
    >
      <DeleteForm user={user} onClose={onClose} onDeleted={onDeleted} />
    </Dialog>
  )
}

/** The server knows the rule; this only leaves out those it would refuse. */
const canTakeOver = (user: UserRow, other: UserRow): boolean =>
  other.id !== user.id &&
  other.status === 'ACTIVE' &&
  (user.organizationId === null || other.organizationId === user.organizationId)

/** The most that the server lists at once; further text narrows it down. */
const mostPeople = 200

function DeleteForm({ user, onClose, onDeleted }: Omit<DeleteUserDialogProps, 'isOpen'>) {
  const { remove, refresh } = useDeleteUser(user.id)
  const [search, setSearch] = useState('')
  const people = useUsers({ limit: mostPeople, search: search.trim() })
  const isLong = search !== '' || (people.data?.total ?? 0) > mostPeople
  const form = useForm({
    schema: UserDeletionBody,
    body: ({ transferTo }) => (transferTo ? { transferTo } : {}),
    fieldOfCode: { transfer_refused: 'transferTo' },
    send: async (body) => {
      await remove(body)
      toast.done(`${user.name} deleted`)
      onDeleted()
      await refresh()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Hand over to"
        name="transferTo"
        help="Who gets their chats, models, documents and workflows."
        problem={form.problems.transferTo}
      >
        {isLong && (
          <div className="mb-2">
            <SearchInput label="Find people" value={search} onSearch={setSearch} hasKey={false} />
          </div>
        )}
        <Select defaultValue="">
          <option value="">Nobody: delete everything they own</option>
          {people.data?.items
            .filter((other) => canTakeOver(user, other))
            .map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name} ({email})
              </option>
            ))}
        </Select>
      </Field>
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" isPending={form.isPending}>
          Delete
        </Button>
      </DialogActions>
    </form>
  )
}
