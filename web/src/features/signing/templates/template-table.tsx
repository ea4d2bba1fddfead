/** The list of templates: use one, send it to many, edit or delete it. */
import { Ellipsis, Pencil, Send, Table2, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { type TemplateHead, useDeleteTemplate, useTemplates } from './api.ts'
import { EditTemplateDialog } from './edit-dialog.tsx'

interface TemplateTableProps {
  search: string | undefined
  onUse: (template: TemplateHead) => void
  onBulk: (template: TemplateHead) => void
  empty: ReactNode
}

export function TemplateTable({ search, onUse, onBulk, empty }: TemplateTableProps) {
  const templates = useTemplates(search)
  const columns: Column<TemplateHead>[] = [
    { head: 'Template', sort: ({ title }) => title, cell: ({ title }) => <span className="font-medium">{title}</span> },
    {
      head: 'Owner',
      sort: ({ owner }) => owner.name,
      cell: ({ owner }) => <span className="text-soft">{owner.name}</span>,
    },
    { head: 'Updated', sort: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      head: 'Actions',
      isActions: true,
      cell: (template) => <Actions template={template} onUse={onUse} onBulk={onBulk} />,
    },
  ]
  if (templates.isPending) return <TableSkeleton columns={columns.length} />
  if (templates.isError)
    return (
      <div className="px-5 pb-5">
        <ErrorPanel error={templates.error} onRetry={templates.refetch} />
      </div>
    )
  const rows = templates.data.pages.flatMap(({ data }) => data)
  if (rows.length === 0) return empty
  return (
    <>
      <Table label="Templates" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {templates.hasNextPage && (
        <div className="flex justify-center border-t py-3">
          <Button look="quiet" isPending={templates.isFetchingNextPage} onClick={() => void templates.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

function Actions({
  template,
  onUse,
  onBulk,
}: { template: TemplateHead } & Pick<TemplateTableProps, 'onUse' | 'onBulk'>) {
  const [isDeleting, setDeleting] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const remove = useDeleteTemplate(() => setDeleting(false))
  return (
    <span className="relative flex items-center justify-end gap-1 text-left">
      <Button size="small" onClick={() => onUse(template)}>
        Use
      </Button>
      <Menu trigger={<IconButton label={`Actions for ${template.title}`} icon={Ellipsis} />}>
        <MenuItem icon={Send} onSelect={() => onUse(template)}>
          Use template
        </MenuItem>
        <MenuItem icon={Table2} onSelect={() => onBulk(template)}>
          Send to many (CSV)
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setEditing(true)}>
          Edit name and settings
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {isEditing && <EditTemplateDialog template={template} onClose={() => setEditing(false)} />}
      <Confirm
        title={`Delete “${template.title}”?`}
        loss="Documents that were made from it stay."
        action="Delete"
        isOpen={isDeleting}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(template)}
        onClose={() => setDeleting(false)}
      />
    </span>
  )
}
