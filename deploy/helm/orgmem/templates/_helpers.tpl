{{- define "orgmem.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "orgmem.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "orgmem.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "orgmem.selectorLabels" -}}
app.kubernetes.io/name: {{ include "orgmem.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "orgmem.labels" -}}
{{ include "orgmem.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The Secret with the environment variables, or nothing. */}}
{{- define "orgmem.secretName" -}}
{{- if .Values.secrets.existingSecret -}}
{{- .Values.secrets.existingSecret -}}
{{- else if .Values.secrets.env -}}
{{- include "orgmem.fullname" . -}}
{{- end -}}
{{- end -}}

{{/* Refuses values with which the servers would not start, or would not accept each other's tokens and seals. */}}
{{- define "orgmem.check" -}}
{{- if and .Values.secrets.existingSecret .Values.secrets.env -}}
{{- fail "secrets.existingSecret and secrets.env exclude each other" -}}
{{- end -}}
{{- if and (eq .Values.database "postgres") (not .Values.secrets.existingSecret) -}}
{{- range list "ORGMEM_DATABASE_URL" "ORGMEM_JWT_SECRET" "ORGMEM_ACCESS_LOG_KEY" -}}
{{- if not (hasKey $.Values.secrets.env .) -}}
{{- fail (printf "database=postgres needs secrets.existingSecret, or %s in secrets.env" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.database "sqlite") (hasKey .Values.secrets.env "ORGMEM_DATABASE_URL") -}}
{{- fail "secrets.env has ORGMEM_DATABASE_URL, so set database=postgres" -}}
{{- end -}}
{{- end -}}

{{/* The Host headers that /mcp accepts. */}}
{{- define "orgmem.mcpHosts" -}}
{{- $service := include "orgmem.fullname" . -}}
{{- $hosts := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- if .Values.ingress.enabled -}}
{{- $hosts = concat $hosts .Values.ingress.hosts -}}
{{- end -}}
{{- concat $hosts .Values.mcp.allowedHosts | uniq | join "," -}}
{{- end -}}

{{/* The pod, the same on both databases except for its volume `data`. */}}
{{- define "orgmem.pod" -}}
metadata:
  labels:
    {{- include "orgmem.selectorLabels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # a change of settings or secrets replaces the pods
    checksum/config: {{ .Values.config | sha256sum }}
    checksum/secrets: {{ .Values.secrets.env | toJson | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  # The variables of a Service named `orgmem-…` look like settings, and the server refuses unknown settings.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    {{- toYaml .Values.podSecurityContext | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: orgmem
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      securityContext:
        {{- toYaml .Values.securityContext | nindent 8 }}
      env:
        # A folder that the server makes itself: the root of a volume belongs to root, and others may read it.
        - name: ORGMEM_DATA_DIR
          value: /data/orgmem
        - name: ORGMEM_LISTEN
          value: 0.0.0.0:7070
        - name: ORGMEM_CONFIG
          value: /etc/orgmem/orgmem.toml
        - name: ORGMEM_MCP_ALLOWED_HOSTS
          value: {{ include "orgmem.mcpHosts" . | quote }}
        {{- with .Values.mcp.allowedOrigins }}
        - name: ORGMEM_MCP_ALLOWED_ORIGINS
          value: {{ join "," . | quote }}
        {{- end }}
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with include "orgmem.secretName" . }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 7070
      # The server listens after its migrations, which may take minutes on a large database.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      lifecycle:
        # Until the Service sends no more requests here.
        preStop:
          exec:
            command: [sleep, "5"]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        - name: config
          mountPath: /etc/orgmem
          readOnly: true
  volumes:
    - name: tmp
      emptyDir: {}
    - name: config
      configMap:
        name: {{ include "orgmem.fullname" . }}
    {{- if eq .Values.database "postgres" }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
  {{- else if eq .Values.database "postgres" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "orgmem.selectorLabels" . | nindent 10 }}
  {{- end }}
{{- end -}}
