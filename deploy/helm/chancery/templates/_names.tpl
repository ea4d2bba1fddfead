{{- define "chancery.name" -}}
{{- if contains "chancery" .Release.Name }}{{ .Release.Name | trunc 50 }}{{ else }}{{ printf "%s-chancery" .Release.Name | trunc 50 }}{{ end }}
{{- end }}

{{- define "chancery.selector" -}}
app.kubernetes.io/name: chancery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "chancery.labels" -}}
{{ include "chancery.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "chancery.secret" -}}
{{- .Values.existingSecret | default (include "chancery.name" .) }}
{{- end }}
