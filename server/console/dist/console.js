var Z,Lr,La,je,Rn,Ft,Ir,Lt,Or,Cn,Tn,Ia,kt=Symbol.for("pv"),Wt={},Nt=[],Oa=/^m(i|n|o|s|text|space)$/,Pn=Array.isArray,Dr=Nt.
slice,et=Object.assign;function Ze(e){e&&e.parentNode&&e.remove()}function It(e,t,r,o,a){var i={type:e,props:t,key:r,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:kt,__v:a||
++Lr,__i:-1,__u:0};return!a&&Z.vnode&&Z.vnode(i),i}function R(e){return e.children}function Ot(e,t){this.props=e,this.context=t,this.__g=0}function Ke(e,t){if(t==null)return e.
__&&Ke(e.__,e.__i+1);for(var r;t<e.__k.length;t++)if((r=e.__k[t])&&r.__e)return r.__e;return typeof e.type!="function"||
e.props.__P?null:Ke(e)}function Da(e){var t,r=e.__v,o=r.__e,a=[],i=[],c=e.__P;c&&((t=et({constructor:kt},r)).__v=r.__v+1,
Z.vnode&&Z.vnode(t),En(c,t,r,e.__n,c.namespaceURI,32&r.__u?[o]:null,a,o||Ke(r),32&r.__u,i),t.__v=r.__v,t.__.__k[t.__i]=t,
Hr(a,t,i),r.__=r.__e=null,t.__e!=o&&Fr(t))}function Fr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(
function(t){return t&&(e.__e=t.__e)}),Fr(e)}function $r(e){(8&e.__g||(e.__g|=8,je.push(e),Ft++))&&Rn==Z.debounceRendering||
((Rn=Z.debounceRendering)||queueMicrotask)(Wr)}function Wr(){try{for(var e,t=1;je.length;)je.length>t&&je.sort(Ir),e=je.
shift(),t=je.length,8&e.__g&&Da(e)}finally{(Ft=je.length)&&(Rn||queueMicrotask)(Wr)}}function Nr(e,t,r,o,a,i,c,d,l,p,u){
var h,g,m,y,b,v,S=o.__k||Nt,k=t.length;for(l=Fa(r,t,S,l,k),h=0;h<k;h++)(m=r.__k[h])!=null&&(g=~m.__i&&S[m.__i]||Wt,m.__i=
h,v=En(e,m,g,a,i,c,d,l,p,u),y=m.__e,(g.ref!=m.ref||8&g.__u)&&(g.ref&&Mn(g.ref,null,m,g),m.ref&&u.push(m.ref,m.__c||y,m)),
b=b||y,4&m.__u?(l=Br(m,l,e,!g.__v),g.__e&&(g.__e=null)):typeof m.type=="function"&&v!==void 0?l=v:y&&(l=y.nextSibling),m.
__u&=-21);return r.__e=b,l}function Fa(e,t,r,o,a){var i,c,d,l,p,u,h,g,m,y=r.length,b=y,v=0,S=0,k=e.__k=Array(a);for(i=0;i<
a;i++)(c=t[i])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=k[i]=It(null,
c):Pn(c)?c=k[i]=It(R,{children:c}):c.constructor===kt&&c.__b?c=k[i]=It(c.type,c.props,c.key,c.ref,c.__v):k[i]=c,l=i+v,c.
__=e,c.__b=e.__b+1,d=null,~(p=c.__i=Wa(c,r,l,b))&&(b--,(d=r[p])&&(d.__u|=2)),d&&d.__v?(c.__u|=16,p==l-1?v--:p==l+1?v++:p!=
l&&(p>l?v--:v++,S=1)):(~p||(a>y?v--:a<y&&v++),typeof c.type!="function"&&(c.__u|=4))):k[i]=null;if(S){for(u=[],h=[],i=0;i<
a;i++)if((c=k[i])&&16&c.__u){for(v=0,g=u.length;v<g;)u[m=v+g>>1]<c.__i?v=m+1:g=m;u[v]=c.__i,h[i]=v+1}for(v=u.length;i--;)
h[i]&&(h[i]==v?v--:k[i].__u|=4)}if(b)for(i=0;i<y;i++)!(d=r[i])||2&d.__u||(d.__e==o&&(o=Ke(d)),$n(d,d));return o}function Br(e,t,r,o){
var a,i,c,d;if(typeof e.type=="function"){if(e.props.__P)return t;if(a=e.__k)for(i=0;i<a.length;i++)a[i]&&(a[i].__=e,t=Br(
a[i],t,r,!1));return t}for(t&&!t.parentNode&&(t=Ke(e))&&!t.parentNode&&(t=null),c=e.__e,d=t;d&&d.nodeType==8;)d=d.nextSibling;
for(c!=d&&(!o&&r.moveBefore&&c.parentNode?r.moveBefore(c,t):r.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==
8&&!t.data.startsWith("$s"););return t}function Wa(e,t,r,o){var a,i=e.key,c=e.type,d=t[r],l=d&&!(2&d.__u);if(d===null&&i==null||l&&i==d.key&&c==d.type)return r;
if(o>(l?1:0)){for(a=r-1;a>=0;a--)if((d=t[a])&&!(2&d.__u)&&i==d.key&&c==d.type)return a;for(a=r+1;a<t.length;a++)if((d=t[a])&&
!(2&d.__u)&&i==d.key&&c==d.type)return a}return-1}function Ar(e,t,r){r==null&&(r=""),t[0]=="-"?e.setProperty(t,r):e[t]=r}
function At(e,t,r,o,a){var i,c;if(t=="style")if(typeof r=="string")e.style.cssText=r;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)r&&t in r||Ar(e.style,t);if(r)for(t in r)o&&r[t]==o[t]||Ar(e.style,t,r[t])}else if(t[0]=="o"&&
t[1]=="n")typeof r!="function"&&(r=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=r,r&&o||(c=Tn[t]||(Tn[t]=
Na(t)),(e.__a||(e.__a={}))[t]=Cn,i=t!=(t=t.replace(Or,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),r?e.addEventListener(
t,c,i):e.removeEventListener(t,c,i));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=r??"")}catch{}if(typeof r=="function")return;r==null||r===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&r==1?"":r)}}function Na(e){return function(t){var r=this.
__e;if(r){if(r=r[e],t[Lt]==null)t[Lt]=Cn++;else if(t[Lt]<this.__a[e])return;return r(Z.event?Z.event(t):t)}}}function En(e,t,r,o,a,i,c,d,l,p){
var u,h,g,m,y,b,v,S,k,q,x,B,$,H,K,V,ne,Ae,D=t.type;if(t.constructor!==kt)return null;128&r.__u&&(l=32&r.__u,u=r.__c.__z)&&
(t.__u|=l,h=i=[],u.nodeType==8?d=Dt(u,i):i.push(u),d=i[0]||d),(u=Z.__b)&&u(t);e:if(typeof D=="function"){g=c.length;try{
if(S=t.props,k=(u=D.prototype)&&u.render,q=(u=D.contextType)&&o[u.__c],x=u?q?q.props.value:u.__:o,(m=r.__c)?(t.__c=m,2&m.
__g&&(m.__g|=1)):(k?t.__c=m=new D(S,x):(t.__c=m=new Ot(S,x),m.constructor=D,m.render=qa),q&&q.sub(m),m.state||(m.state={}),
m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),D.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=et({},
m.__s)),et(m.__s,D.getDerivedStateFromProps(S,m.__s)))),y=m.props,b=m.state,m.__v=t,r.__c){if(S!==y&&k&&!D.getDerivedStateFromProps&&
m.componentWillReceiveProps&&m.componentWillReceiveProps(S,x),t.__v==r.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&
m.shouldComponentUpdate(S,m.__s,x)===!1){t.__v!=r.__v&&(m.props=S,m.state=m.__s,m.__g&=-9),t.__e=r.__e,t.__k=r.__k,t.__k.
some(function(E){E&&(E.__=t)}),Nt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&c.push(m),d=Ke(r);break e}m.componentWillUpdate&&
m.componentWillUpdate(S,m.__s,x),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(y,b,v)})}else k&&!D.
getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),k&&m.componentDidMount&&m.__h.push(m.componentDidMount);
m.context=x,m.props=S,m.__P=e,m.__g&=-5,B=Z.__r,$=k?25:0;do m.__g&=-9,B&&B(t),u=m.render(m.props,m.state=m.__s,m.context);while(8&
m.__g&&++$<25);k&&(Nt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=et({},o,m.getChildContext())),
k&&r.__c&&m.getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(y,b)),H=u&&u.type===R&&u.key==null?u.props.children:u,
S.__P&&(u=d,a=(e=S.__P).namespaceURI,l=i=null,r.props&&r.props.__P!=e&&(r.__k.some(function(E){E&&$n(E,E)}),r.__k=null),
d=r.__k?Ke(r,0):null),d=Nr(e,Pn(H)?H:[H],t,r,o,a,i,c,d,l,p),S.__P&&(t.__e=null,d=u),t.__u&=-161,h&&h.some(Ze),m.__h.length&&
c.push(m),1&m.__g&&(m.__g&=-4)}catch(E){if(c.length=g,t.__v=null,l||i)if(E&&E.then){if(t.__u|=128|l,i){for(~(ne=i.indexOf(
d||void 0))||(ne=i.length);(Ae=i[ne-1])&&Ae.nodeType==8;)ne--;for(;ne<i.length;ne++)if(Ae=i[ne])if(i[ne]=null,K){if(Ae==
V)break}else{if(Ae.nodeType!=8)break;Ae.data.startsWith("$s")&&(V=Dt(K=Ae))}}if(!K){for(;d&&d.nodeType==8&&d.nextSibling;)
d=d.nextSibling;K=d}(u=Dt(K=t.__c.__z||(t.__c.__z=K)))?(t.__e=K,d=u):t.__e=d,d=d&&d.nextSibling}else i&&i.some(Ze);else t.
__e=r.__e;t.__k||(t.__k=r.__k||[]),E&&E.then||qr(t),Z.__e(E,t,r)}}else d=t.__e=Ba(r.__e,t,r,o,a,i,c,l,p,e);return(u=Z.diffed)&&
u(t),d}function Dt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var r=1;e=e.nextSibling;){if(e.nodeType==8){if(e.
data.startsWith("$s"))r++;else if(e.data.startsWith("/$s")&&!--r)return e}t&&t.push(e)}}function qr(e){e&&(e.__c&&(e.__c.
__g|=4),e.__k&&e.__k.some(qr))}function Hr(e,t,r){for(var o=0;o<r.length;)Mn(r[o++],r[o++],r[o++]);Z.__c&&Z.__c(t,e),e.some(
function(a){try{e=a.__h,a.__h=[],e.some(function(i){i.call(a)})}catch(i){Z.__e(i,a.__v)}})}function Ba(e,t,r,o,a,i,c,d,l,p){
var u,h,g,m,y,b,v,S,k=r.props||Wt,q=t.props,x=t.type;if(x=="svg"?a="http://www.w3.org/2000/svg":x=="math"?a="http://www.\
w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),i){for(u=0;u<i.length;u++)if((y=i[u])&&(x?y.localName==x:
y.nodeType==3)){e=y,i[u]=null;break}}if(!e){if(S=p.ownerDocument||document,!x)return S.createTextNode(q);e=S.createElementNS(
a,x,q.is?q:p),d&&(Z.__m&&Z.__m(t,i),d=!1),i=null}if(x){if(p=x=="template"&&e.content||e,i=x=="textarea"&&q.defaultValue!=
null?null:i&&Dr.call(p.childNodes),!d&&i)for(k={},u=0;u<e.attributes.length;u++)k[(y=e.attributes[u]).name]=y.value;for(u in k)
y=k[u],u=="dangerouslySetInnerHTML"?g=y:u=="children"||u in q||u=="value"&&"defaultValue"in q||u=="checked"&&"defaultChe\
cked"in q||At(e,u,null,y,a);for(u in q)y=q[u],u=="children"?m=y:u=="dangerouslySetInnerHTML"?h=y:u=="value"?b=y:u=="chec\
ked"?v=y:d&&typeof y!="function"||k[u]===y||At(e,u,y,k[u],a);h?(d||g&&(h.__html==g.__html||h.__html==e.innerHTML)||(e.innerHTML=
h.__html),t.__k=[]):(g&&(e.textContent=""),(x=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&Oa.test(x))&&(a=
"http://www.w3.org/1999/xhtml"),Nr(p,Pn(m)?m:[m],t,r,o,a,i,c,i?i[0]:r.__k&&Ke(r,0),d,l),i&&i.some(Ze)),d&&x!="textarea"||
(u="value",x=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(x!="progress"||b)||At(e,u,b,k[u],a),u="checke\
d",v!=null&&v!=e[u]&&At(e,u,v,k[u],a))}else k===q||d&&e.data==q||(e.data=q);return e}function Mn(e,t,r,o){try{typeof e==
"function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
Z.__e(a,r)}}function $n(e,t,r){var o,a,i,c;if(Z.unmount&&Z.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Mn(o,null,
t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(d){Z.__e(d,t)}o.__P=o.__n=null}if(o=e.__k)for(c=
0;c<o.length;c++)o[c]&&$n(o[c],t,typeof e.type!="function"||r&&!e.props.__P);!r&&(o=e.__c)&&(o=o.__z)&&(a=Dt(o,i=[]))&&(o==
e.__e&&i.some(Ze),Ze(a),Ze(o)),r||Ze(e.__e),e.__e=e.__c=e.__=null}function qa(e,t,r){return this.constructor(e,r)}function An(e,t){
var r,o,a,i;Z.__&&Z.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(r=e&&32&e.__u)?null:t.__k,t.__k=It(R,{children:[e]}),
a=[],i=[],En(t,t.__k,o||Wt,Wt,t.namespaceURI,o?null:t.firstChild?Dr.call(t.childNodes):null,a,o?o.__e:t.firstChild,r,i),
Hr(a,t.__k,i),t.__k.props.children=null}Z={__e:function(e,t,r,o){for(var a,i,c;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((c=(i=a.constructor)&&i.getDerivedStateFromError)&&
a.setState(i.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,o||{}),c=1),c&&8&a.__g)return void(a.
__g|=2)}catch(d){e=d}}throw Ft=0,e}},Lr=0,La=function(e){return e!=null&&e.constructor===kt},Ot.prototype.setState=function(e,t){
var r=this.__s;r&&r!=this.state||(r=this.__s=et({},this.state)),typeof e=="function"&&(e=e(et({},r),this.props)),e&&(et(
r,e),this.__v&&(t&&this.__k.push(t),$r(this)))},Ot.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.
push(e),$r(this))},Ot.prototype.render=R,je=[],Ft=0,Ir=function(e,t){return e.__v.__b-t.__v.__b},Lt=Symbol(),Or=/(PointerCapture)$|Capture$/i,
Cn=0,Tn={},Ia=0;var tt=new URL(".",document.baseURI),Ln=new URL("..",tt),vt=document.querySelector('meta[name="orgmem-framers"]')?.content.
split(" ").filter(Boolean),Re=vt!==void 0;function In(e){return new URL(e.replace(/^\//,""),Ln).href}var xt=class extends Error{status;problem;retryAfter;constructor(t,r,o){super(r.detail??"the server did not answer"),this.
status=t,this.problem=r,this.retryAfter=o}get isTransient(){return this.status===0||this.status===429||this.status>=500}more(t){
return this.problem[t]}},_t;function Ur(e){_t=e}var jr=()=>{};function Kr(e){jr=e}async function F(e,t={}){let r=await Ha(
e,t),o=await r.text();if(!r.ok)throw Jr(r,o);return{data:o===""?void 0:JSON.parse(o),etag:r.headers.get("ETag")??void 0,
next:Ua(r.headers.get("Link"))}}async function Ha(e,t){let r={Accept:"application/json"},o=t.method??"GET";o!=="GET"&&(r["\
X-Orgmem-Console"]="1"),t.ifMatch!==void 0&&(r["If-Match"]=t.ifMatch);let a={method:o,credentials:"same-origin"};return t.
body!==void 0&&(r["Content-Type"]=t.type??"application/json",a.body=t.type===void 0?JSON.stringify(t.body):String(t.body)),
t.signal&&(a.signal=t.signal),Gr(e,r,a)}async function*Vr(e,t){let o=await Gr(e,{Accept:"text/event-stream"},{credentials:"\
same-origin",cache:"no-store",signal:t});if(!o.ok)throw Jr(o,await o.text());let a=o.body?.pipeThrough(new TextDecoderStream).
getReader(),i=()=>a?.read().catch(c=>zr(t,c));for(let c=await i();c&&!c.done;c=await i())yield c.value}function zr(e,t){
throw e?.aborted?t:new xt(0,{})}async function Gr(e,t,r){try{if(!_t)return await fetch(In(e),{...r,headers:t});for(;;){let o=await _t.
token(r.signal??void 0),a={...t,Authorization:`Bearer ${o}`},i=await fetch(In(e),{...r,headers:a,credentials:"omit"});if(i.
status!==401)return _t.onAccepted(o),i;_t.onRejected(o,Yr(await i.text()))}}catch(o){return zr(r.signal,o)}}function Jr(e,t){
let r=Yr(t);e.status===401&&jr();let o=Number(e.headers.get("Retry-After"));return new xt(e.status,r,o>0?o:void 0)}function Yr(e){
try{return JSON.parse(e)}catch{return{}}}function Ua(e){return/^<([^>]+)>; rel="next"$/.exec(e??"")?.[1]}function _e(e){
return e instanceof DOMException&&e.name==="AbortError"}function O(e){if(e instanceof xt)return e;throw e}var ja="orgmem:ready",Ka="orgmem:token-ended",Va="orgmem:token",Qr=[5,10,30],za=/^[\w.~+/=-]+$/,On=class{rejection;current;rejected;wasAccepted=!1;requests=0;timer;waiting=new Set;listeners=new Set;get hasToken(){
return this.current!==void 0}start(){addEventListener("message",t=>{if(t.source!==parent||!vt?.includes(t.origin))return;
let{type:r,token:o}=t.data??{};r===Va&&typeof o=="string"&&za.test(o)&&this.accept(o)}),this.requestToken()}async token(t){
return t?.throwIfAborted(),this.current!==void 0?this.current:new Promise((r,o)=>{let a=c=>{t?.removeEventListener("abor\
t",i),r(c)},i=()=>{this.waiting.delete(a),o(t?.reason)};this.waiting.add(a),t?.addEventListener("abort",i)})}onAccepted(t){
t===this.current&&(this.wasAccepted=!0)}onRejected(t,{detail:r}){t===this.current&&(this.current=void 0,this.rejected=t,
this.rejection=r,this.wasAccepted?this.requestToken():this.scheduleRequest(),this.notify())}listen(t){return this.listeners.
add(t),()=>{this.listeners.delete(t)}}accept(t){if(t===this.rejected||t===this.current)return;clearTimeout(this.timer),this.
current=t,this.rejection=void 0,this.requests=0,this.wasAccepted=!1;let r=[...this.waiting];this.waiting.clear();for(let o of r)
o(t);this.notify()}requestToken(){parent.postMessage({type:this.rejected===void 0?ja:Ka},"*"),this.scheduleRequest()}scheduleRequest(){
clearTimeout(this.timer);let t=Qr[Math.min(this.requests,Qr.length-1)]??30;this.requests+=1,this.timer=setTimeout(()=>this.
requestToken(),t*1e3)}notify(){for(let t of[...this.listeners])t()}},nt=new On;var rt,de,Dn,Xr,Fn=Object.is,Rt=0,ao=[],Wn=[],ce=Z,Zr=ce.__b,eo=ce.__r,to=ce.diffed,no=ce.__c,ro=ce.unmount,oo=ce.__;function Tt(e,t){
ce.__h&&ce.__h(de,e,Rt||t),Rt=0;var r=de.__H||(de.__H={__:[],__h:[]});return e>=r.__.length&&r.__.push({}),r.__[e]}function f(e){
return Rt=1,Ga(lo,e)}function Ga(e,t,r){var o=Tt(rt++,2);if(o.t=e,!o.__c&&(o.__=[r?r(t):lo(void 0,t),function(i){var c=(o.
__N||o.__)[0],d=o.t(c,i);Fn(c,d)||(o.__N=[d,o.__[1]],o.__c.setState({}))}],o.__c=de,!de.__f)){de.__f=!0;var a=de.shouldComponentUpdate;
de.shouldComponentUpdate=function(i,c,d){var l=this.__H;if(!l)return!0;var p=!1,u=this.props!=i;if(l.__.some(function(g){
g.__N&&(p=!0,Fn(g.__[0],g.__N[0])||(u=!0))}),a){var h=a.call(this,i,c,d);return p?h||u:h}return!p||u}}return o.__}function P(e,t){
var r=Tt(rt++,3);!ce.__s&&Bn(r.__H,t)&&(r.__P=!0,r.__=e,r.u=t,de.__H.__h.push(r))}function Bt(e,t){var r=Tt(rt++,4);!ce.
__s&&Bn(r.__H,t)&&(r.__P=!1,r.__=e,r.u=t,de.__h.push(r))}function L(e){return Rt=5,Ve(function(){return{current:e}},[])}function Ve(e,t){var r=Tt(rt++,7);return Bn(r.__H,t)&&(r.__=e(),r.__H=t),r.__}function co(e,t){return Rt=8,Ve(function(){
return e},t)}function We(){var e=Tt(rt++,11);if(!e.__){for(var t=de.__v;!t.__m&&t.__;)t=t.__;var r=t.__m||(t.__m=[0,0]);e.__="P"+r[0]+
"-"+r[1]++}return e.__}function Ja(){var e;do{for(;e=Wn.shift();)try{St(e)}catch(r){ce.__e(r,{__:(e=e.__P)&&e.__v})}for(;e=
ao.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(St),t.__h.some(Nn),t.__h=[]}catch(r){t.__h=[],ce.__e(r,e.__v)}}}while(Wn.
length)}ce.__b=function(e){de=null,Zr&&Zr(e)},ce.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),oo&&oo(e,t)},ce.
__r=function(e){eo&&eo(e),rt=0;var t=(de=e.__c).__H;t&&(Dn==de?de.__h=[]:(t.__h.some(St),t.__h.some(Nn),rt=0),t.__h=[],t.
__.some(function(r){r.__N&&(r.__=r.__N),r.u=r.__N=void 0})),Dn=de},ce.diffed=function(e){to&&to(e);var t=e.__c;t&&t.__H&&
(t.__H.__h.length&&io(ao.push(t)),t.__H.__.some(function(r){r.u&&(r.__H=r.u)})),Dn=de=null},ce.__c=function(e,t){t.some(
function(r){try{r.__h.some(St),r.__h=r.__h.filter(function(o){return!o.__||Nn(o)})}catch(o){r.__h=[function(){throw o}]}}),
no&&no(e,t)},ce.unmount=function(e){ro&&ro(e);var t,r,o=e.__c;o&&o.__H&&(o.__H.__.some(function(a){try{if(a.__P&&a.__c){
if(r===void 0){for(r=e.__;r&&(!r.__c||!r.__c.__P);)r=r.__;r=r&&r.__c}a.__P=r,io(Wn.push(a))}else St(a)}catch(i){t=i}}),o.
__H=void 0,t&&ce.__e(t,o.__v))};var so=typeof requestAnimationFrame=="function";function Ya(e){var t,r=function(){clearTimeout(
o),so&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(r,35);so&&(t=requestAnimationFrame(r))}function io(e){e!=1&&Xr==
ce.requestAnimationFrame||((Xr=ce.requestAnimationFrame)||Ya)(Ja)}function St(e){var t=de,r=e.__c;typeof r=="function"&&
(e.__c=void 0,r()),de=t}function Nn(e){var t=de;e.__c=e.__(),de=t}function Bn(e,t){return!e||e.length!=t.length||t.some(
function(r,o){return!Fn(r,e[o])})}function lo(e,t){return typeof t=="function"?t(e):t}function se(e){let t=Object.entries(e).filter(([,o])=>o!==void 0&&o!==""),r=new URLSearchParams(t.map(([o,a])=>[o,String(
a)])).toString();return r===""?"":`?${r}`}var w={me:"/me",version:"/version",ready:"/readyz",stats:"/admin/stats",orgs:"\
/admin/tree",demo:"/orgs/demo",tokens:(e,t={})=>`/workspaces/${e}/tokens${se(t)}`,workspaces:e=>`/workspaces${se(e)}`,workspace:e=>`\
/workspaces/${e}`,tree:(e,t)=>`/workspaces/${e}/tree${se({depth:t})}`,reach:e=>`/workspaces/${e}/reach`,relation:(e,t)=>`\
/workspaces/${e}/reach/${t}`,memories:(e,t={})=>`/workspaces/${e}/memories${se(t)}`,memory:(e,t)=>`/workspaces/${e}/memo\
ries/${t}`,count:(e,t={})=>`/workspaces/${e}/memories/count${se(t)}`,why:(e,t,r)=>`/workspaces/${e}/memories/${t}/why${se(
{q:r})}`,access:(e,t={})=>`/workspaces/${e}/access-log${se(t)}`,accessOf:(e,t,r={})=>`/workspaces/${e}/memories/${t}/acc\
ess-log${se(r)}`,verify:(e,t)=>`/workspaces/${e}/access-log/verify${se({cursor:t})}`,events:(e,t={})=>`/workspaces/${e}/\
events${se(t)}`,history:(e,t)=>`/workspaces/${e}/memories/${t}/history`,entries:(e,t={})=>`/workspaces/${e}/memory${se(t)}`,
entry:(e,t)=>`/workspaces/${e}/memory/${encodeURIComponent(t)}`,session:(e,t={})=>`/workspaces/${e}/session-search${se(t)}`,
profiles:e=>`/workspaces/${e}/profiles`,profile:(e,t)=>`/workspaces/${e}/profiles/${t}`,runs:(e,t={})=>`/workspaces/${e}\
/runs${se(t)}`,run:(e,t,r={})=>`/workspaces/${e}/runs/${t}${se(r)}`,activity:(e,t={})=>`/workspaces/${e}/activity${se(t)}`};
function uo(e,t){return F(w.memories(e),{method:"POST",body:t})}function ze(e,t,r,o){return F(w.memory(e,t),{method:"PAT\
CH",body:r,ifMatch:`"${o}"`})}function po(e,t,r,o){let a={version:r};return F(`${w.memory(e,t)}/restore`,{method:"POST",
body:a,ifMatch:`"${o}"`})}function mo(e,t,r){return F(`${w.memory(e,t)}/redact`,{method:"POST",body:r})}function fo(e,t,r){
let o={reason:"to be said"};return F(`${w.memory(e,t)}/redact${se({dry_run:"true"})}`,{method:"POST",body:o,signal:r})}function ho(e,t){
return F(`${w.memories(e)}/redact`,{method:"POST",body:t})}function go(e,t){return F(w.memory(e,t),{method:"DELETE"})}function yo(e,t){
return F(w.entries(e),{method:"POST",body:t})}function bo(e,t){return F(w.entry(e,t),{method:"DELETE"})}function wo(e,t){
return F(w.profiles(e),{method:"POST",body:t})}function ko(e,t,r){return F(w.profile(e,t),{method:"PATCH",body:r})}function qn(e,t,r,o){
let[a,i]=t===void 0?["POST",w.profiles(e)]:["PATCH",w.profile(e,t)];return F(`${i}${se({dry_run:"true"})}`,{method:a,body:r,
...o?{signal:o}:{}})}function vo(e,t){return F(w.profile(e,t),{method:"DELETE"})}function _o(e,t){return F(`${w.workspace(
e)}/context`,{method:"POST",body:t})}function xo(e,t,r){return F(`${w.run(e,t)}/finish`,{method:"POST",body:r})}function qt(e){
return F("/workspaces",{method:"POST",body:e})}function Hn(e,t,r){let o=`/orgs/import${se({dry_run:r?"true":void 0})}`;return F(
o,{method:"POST",body:e,type:t})}function Un(e,t){return F(w.workspace(e),{method:"PATCH",body:t})}function So(e,t,r){return F(
`${w.workspace(e)}${se({dry_run:"true"})}`,{method:"PATCH",body:{parent_id:t},signal:r})}function Ro(e,t,r){return F(`${w.
workspace(e)}${se({children:t,dry_run:"true"})}`,{method:"DELETE",signal:r})}function To(e,t){return F(`${w.workspace(e)}${se(
{children:t})}`,{method:"DELETE"})}function Co(e,t){return F(w.tokens(e),{method:"POST",body:t})}function Po(e){return F(
w.tokens(e),{method:"DELETE"})}function Eo(e,t){return F(`${w.tokens(e)}${se({dry_run:"true"})}`,{method:"DELETE",signal:t})}
function Mo(e){return F(`/tokens/${e}`,{method:"DELETE"})}function jn(e){return F("/console/session",{method:"POST",body:e})}
function $o(){return F("/console/session",{method:"DELETE"})}var Lo=60,Qa=1e3,Ao=[1,2,5,10,30],Io={data:void 0,etag:void 0,next:void 0,failure:void 0,isLoading:!1,isOutdated:!1,at:void 0},
Kn=class{constructor(t){this.path=t}path;state={...Io};listeners=new Set;request;timer;failures=0;checks=[];add(t){this.
listeners.add(t);let{at:r,isLoading:o}=this.state,a=r!==void 0&&Date.now()-r<Qa;!o&&!a&&this.load()}remove(t){this.listeners.
delete(t),!(this.listeners.size>0)&&(clearTimeout(this.timer),this.request?.abort(),this.request=void 0,this.state={...this.
state,isLoading:!1})}async load(){clearTimeout(this.timer),this.request?.abort();let t=new AbortController;this.request=
t,this.set({isLoading:!0,isOutdated:!1});try{let r=await F(this.path,{signal:t.signal});this.failures=0,this.onResponse(
r)}catch(r){if(_e(r))return;this.onFailure(O(r))}}markOutdated(t){this.state.isLoading?this.checks.push(t):this.state.data!==
void 0&&t(this.state.data)&&this.set({isOutdated:!0})}onResponse({data:t,etag:r,next:o}){let a=this.checks.some(i=>i(t));
this.checks=[],this.set({data:t,etag:r,next:o,failure:void 0,isLoading:!1,isOutdated:a,at:Date.now()})}onFailure(t){if(this.
set({failure:t,isLoading:!1}),!t.isTransient)return;let r=t.retryAfter??Ao[Math.min(this.failures,Ao.length-1)]??30;this.
failures+=1,this.timer=setTimeout(()=>{this.load()},r*1e3)}set(t){this.state={...this.state,...t};for(let r of[...this.listeners])
r()}},Pe=new Map;function Xa(e){let t=Pe.get(e)??new Kn(e);return Pe.delete(e),Pe.set(e,t),Pe.size>Lo&&Za(),t}function Za(){
for(let[e,t]of Pe){if(Pe.size<=Lo)return;t.listeners.size===0&&Pe.delete(e)}}function M(e){let[,t]=f(0),r=e===void 0?void 0:
Xa(e);if(P(()=>{if(!r)return;let i=()=>t(c=>c+1);return r.add(i),i(),()=>r.remove(i)},[r]),!r)return Io;let{state:o}=r,a=o.
data===void 0&&o.failure===void 0;return{...o,isLoading:o.isLoading||a}}function ye(e){Pe.get(e)?.load()}function xe(e){
for(let[t,r]of[...Pe])e(t)&&(r.listeners.size>0?r.load():Pe.delete(t))}function Oo(e,t){for(let[r,o]of[...Pe])e(r)&&(o.listeners.
size>0?o.markOutdated(t):Pe.delete(r))}function pe(e){xe(t=>t.startsWith(`/workspaces/${e}`))}function Ht(){xe(()=>!0)}function Se(...e){let t=[...e.filter(Boolean),"orgmem"].join(" · ");P(()=>{document.title=t},[t])}var W=(e,t,r)=>`${e} ${e===1?t:r}`;var Vn={commit_memory:"committed",edit_memory:"edited",restore_memory:"restored",forget_memory:"deleted",redact_memory:"\
redacted",list_redactions:"listed redactions",scrub_memory:"scrubbed",expire_memories:"removed by a rule",expire_versions:"\
removed earlier versions by a rule",read_memory:"read",search_memories:"searched",read_history:"read the history",explain_memory:"\
explained recall",count_memories:"counted",inject_memories:"injected into a prompt",summarize_memories:"summarized",export_memories:"\
exported",put_entry:"set a key",drop_entry:"deleted a key",expire_entries:"removed expired keys",read_entry:"read a key",
list_entries:"listed keys",append_episode:"appended activity",redact_episode:"redacted activity",list_episodes:"read the\
 activity",search_session:"searched the session",create_workspace:"created the workspace",edit_workspace:"edited the wor\
kspace",move_workspace:"moved the workspace",remove_workspace:"removed the workspace",purge_workspace:"purged the worksp\
ace",erase:"erased",change_profile:"changed a profile",start_run:"started a run",hold_memory:"staged",finish_run:"finish\
ed a run",expire_runs:"removed old runs",read_run:"read a run",issue_token:"issued a token",revoke_token:"revoked a toke\
n",revoke_tokens:"revoked all tokens",watch_events:"watched events",read_access_log:"read this log",lose_reads:"lost rea\
d records",trim_access_log:"trimmed old rows"},zn=Object.entries(Vn),Do=[["agents","By agents"],["people","By people"]],
Ut={callers:{title:"Callers",apart:Do,all:[["","All callers"],...Do]},access:{title:"Access",audit:"Audit",which:"Select\
 an org",did:e=>Vn[e]??e.replaceAll("_"," "),all:"All actions",action:"Action",anyTime:"Any time",times:[["3600","Last h\
our"],["86400","Last day"],["604800","Last 7 days"],["2592000","Last 30 days"]],time:"Time range",who:"Caller, as named \
in the log",subtree:"Include subtree",export:"Export as JSONL",exporting:e=>`${e} rows so far…`,head:{at:"Time",who:"C\
aller",did:"Action",as:"Workspace",memories:"Memories",seal:"Row"},more:e=>`${e} more`,waiting:"not sealed yet",sealed:"\
sealed",none:e=>`No activity as ${e} yet`,how:"Every write, read, redaction and deletion adds a row here, whichever inte\
rface it used.",nothingMatches:"No row matches",sentences:{action:e=>`action: ${Vn[e]??e}`,subject:e=>`by ${e}`,memory_id:e=>`\
memory ${e.slice(0,8)}…`,run_id:e=>`run ${e.slice(0,8)}…`,since:e=>`since ${e}`,until:e=>`until ${e}`}},chain:{description:"\
Rows are sealed into a hash chain, which reveals a changed, removed or reordered row.",verify:"Verify now",running:e=>`${e}\
 rows checked…`,intact:(e,t)=>`Intact: ${W(e,"row","rows")} verified, up to row ${t}.`,waiting:e=>e===0?"":` ${W(e,"ro\
w is","rows are")} not sealed yet.`,broken:"Broken"}};var Fo=e=>`${e===void 0?"– event streams":W(e,"event stream","event streams")} ${e===1?"is":"are"} open on this server`,
Wo={connect:{token:"Token",client:"Client",role:"Role",roles:[["agent","An agent: acts as this workspace"],["viewer","A \
viewer: reads it and all below"],["operator","An operator: acts in it and all below"]],lifetime:"Lifetime",lifetimes:[["",
"Default"],["3600","1 hour"],["604800","7 days"],["2592000","30 days"],["31536000","1 year"]],issue:"Issue a token",once:"\
Shown once.",until:(e,t)=>`The ${e} token below is not stored. It expires on ${t}.`,askAdmin:"Ask an operator or admin f\
or a token for this workspace.",variable:"The client reads the token from the variable ORGMEM_TOKEN or prompts for it. I\
ssue a token above to fill it in."},tokens:{title:"Tokens of this workspace",description:"Tokens issued here that have n\
ot expired. A token is shown once and is not stored; tokens that a platform signs with its own key are not listed.",none:"\
No unexpired token was issued here.",subject:"Subject",role:"Role",issued:"Issued",expires:"Expires",used:"Last used",usedHint:"\
According to the audit log: reads and writes, but not refused requests.",unused:"never",revokedMark:"revoked",issuers:"W\
ho issued them",revokeOne:"Revoke…",confirmOne:"Revoke 1 token",oneTitle:"Revoke this token",oneText:e=>`The token of ${e}\
 stops working at once, wherever it is used. This cannot be undone.`,oneEffect:e=>`Consoles that are signed in with it a\
re signed out, and its clients are refused. ${Fo(e)} now and will close.`,revoked:"1 token revoked.",revokeAll:"Revoke a\
ll tokens",allTitle:"Revoke all tokens of this workspace",allText:e=>`Every token issued for ${e} until now stops workin\
g at once, including tokens signed with other keys. Clients that act as ${e} then need a new token. This cannot be undon\
e.`,allEffect:(e,t)=>`${e===void 0?"– tokens":W(e,"token","tokens")} issued here ${e===1?"is":"are"} still valid. Cons\
oles that are signed in with one of them are signed out. ${Fo(t)} now and will close.`,allRevoked:e=>`All tokens of ${e}\
 revoked.`},clients:{"claude-code":{name:"Claude Code",where:"Add it to .mcp.json in the project."},"claude-desktop":{name:"\
Claude Desktop",where:"Add it to claude_desktop_config.json (Settings, Developer, Edit Config), then restart Claude Desk\
top."},cursor:{name:"Cursor",where:"Add it to .cursor/mcp.json in the project, or to ~/.cursor/mcp.json."},vscode:{name:"\
VS Code",where:"Add it to .vscode/mcp.json in the project."},"gemini-cli":{name:"Gemini CLI",where:"Add it to .gemini/se\
ttings.json in the project, or to ~/.gemini/settings.json."},codex:{name:"Codex",where:"Add it to ~/.codex/config.toml."},
rest:{name:"REST",where:"Run it in a shell."},cli:{name:"Command line",where:"Run it in a shell."}}};var ec=(e,t)=>[e>0&&`${e} × by agents`,t>0&&`${t} × by people`].filter(Boolean).join(", "),tc={agent:"an agent",viewer:"\
a viewer",operator:"an operator",admin:"an admin"},No={memory:{title:"Memory",copy:"Copy the content",pinned:"pinned",standIn:"\
Replaced before it was stored",confidence:"Confidence, 0 to 1",confidenceOf:e=>`confidence ${e.toFixed(2)}`,expiresIn:e=>`\
expires in ${e}`,tags:"Tags",provenance:"Provenance",author:"Author",source:"Source",sourceOf:(e,t)=>`${e}, written by ${tc[t]}`,
written:"Written",changed:"Changed",version:e=>`version ${e}`,expires:"Expires",subject:"Subject",session:"Session",run:"\
Run",supersedes:"Supersedes",rawData:"Raw data",json:"All fields as JSON",curl:"Fetch from the command line"},visibility:{
title:"Why it is visible here",sentence:(e,t,r,o)=>`${e} can read ${t} memories of ${r}: ${o}.`,bound:"It is bound to on\
e team; a workspace that leaves the team can no longer read it.",others:e=>`${W(e,"other workspace","other workspaces")}\
 can read it`,more:e=>`${e} more`,nobodyElse:"No other workspace can read it.",compare:(e,t)=>`Relationship of ${e} and ${t}`},
edit:{do:"Edit",save:"Save",hint:"Saving creates a new version; earlier versions stay in the history.",saved:e=>`Saved a\
s version ${e}.`},history:{title:"History",version:e=>`Version ${e},`,current:"– current",option:(e,t)=>`${e} · ${t}`,
from:"Compare from",to:"Compare to",restore:e=>`Restore version ${e}`,restored:(e,t)=>`Version ${e} is restored as versi\
on ${t}.`},attributes:{do:"Tags, expiry…",pin:"Pin",unpin:"Unpin",save:"Save",saved:"Saved.",undo:"Undo",unchanged:"Un\
changed",tagsHint:"Separated by commas."},redact:{ask:"Redact…",title:e=>`Redact ${W(e,"memory","memories")}`,do:e=>`R\
edact ${W(e,"memory","memories")}`,deleted:"Deleted permanently",deletedParts:e=>[e>0?`The content, and ${W(e,"earlier v\
ersion","earlier versions")}`:"The content","Its index entries","The metadata"],retained:"Retained",retainedParts:["Its \
id, author, scope and times","Who redacted it, when and why","Hashes in the audit log"],affected:(e,t,r,o)=>r===0?`Only ${e}\
 can read it; no other workspace is affected.`:`${new Intl.ListFormat("en",{type:"conjunction"}).format([...o?[]:[e],...t,
...r>t.length?[`${r-t.length} more`]:[]])} will no longer find it. This cannot be undone.`,readers:(e,t,r)=>e.length===0?
`No workspace that you can see has read it${r?" in the searched part of the log":" so far"}.`:`Read so far by ${new Intl.
ListFormat("en",{type:"conjunction"}).format([...e.slice(0,4).map(({name:o,reads:a,reads_by_people:i=0})=>`${o} (${ec(a-
i,i)})`),...e.length>4?[`${e.length-4} more`]:[]])}${t>0?`, in ${W(t,"run","runs")}`:""}${r?"; the list may be incomplet\
e, because the log was not searched to its start":""}.`,reason:"Reason",reasonHint:"Stored permanently and shown to ever\
yone who opens the memory: do not repeat the redacted content.",missing:"Enter a reason.",done:e=>`${W(e,"memory","memor\
ies")} redacted.`,selected:e=>`${W(e,"memory","memories")} selected`,clearSelection:"Clear selection",refused:e=>`${W(e,
"memory was","memories were")} refused and ${e===1?"stays":"stay"} selected:`,many:e=>`The content of ${W(e,"memory","me\
mories")} is deleted permanently, with all earlier versions. Retained: ids, authors, scopes and times, and who redacted \
them, when and why.`},deletion:{ask:"Delete…",title:"Delete this memory",do:"Delete 1 memory",what:"The content is del\
eted from every table and index, with all earlier versions. Unlike a redaction, a deletion records no reason; the audit \
log records who deleted it and when.",done:"1 memory deleted."},causes:{found:"Found",not_found:"Not found",below_minimum:"\
Score below the minimum",collapsed:"Named in another result",not_readable:"Not readable",expired:"Expired",redacted:"Red\
acted",deleted:"Deleted",superseded:"Superseded",pending:"Pending",isolated:"Outside the profile’s isolation",kind_excluded:"\
Kind excluded by the profile"},explain:{title:e=>`Why ${e} recalls a memory, or not`,memory:"Memory",memoryHint:"Its id,\
 or words of its content.",query:"Query",queryHint:"The search query; optional.",submit:"Explain",select:"Select a memor\
y",none:e=>`${e} can read no memory with these words. For a memory that it cannot read, enter the id.`,replacement:"The \
memory that supersedes it",open:"Open the memory",rank:(e,t,r)=>`Rank ${e} of ${t} for “${r}”`,missing:"Something mi\
ssing? Find out why"}};var Bo={embed:{title:e=>`Memories of ${e}`,waiting:"Waiting for the host page to provide a token.",ended:e=>`${e} The ho\
st page was asked for a new token; nothing that you typed is lost.`,direct:"Embedded view",how:"This page shows the memo\
ries of a workspace inside another product, which provides the token. Opened directly, it shows nothing.",noOrigins:"No \
page may embed it yet: the setting console.framers is empty.",inConsole:"Open this workspace in the console"}};var qo={signIn:{title:"Sign in to orgmem",ended:"Your session has ended",again:e=>`You were signed in as ${e}. Sign in a\
gain to continue; nothing that you typed is lost.`,token:"Token",where:"The admin token is in the file admin.token in th\
e server’s data folder; orgmem token issue creates others.",do:"Sign in"},frame:{skip:"Skip to the content",tree:"Show\
 the tree",navigation:"Pages and workspaces",path:"Path of this workspace",workspaces:"Workspaces",filter:"Filter by nam\
e",clearFilter:"Clear the filter",resize:"Width of the tree",noWorkspaces:"No workspaces yet",noneFound:"No workspace ha\
s a matching name",found:(e,t)=>t?`The first ${e} found`:`${e} found`,memoriesOf:e=>e===1?"memory":"memories",orgs:e=>e===
"admin"?"Orgs":"Workspace"},account:{role:"Role",until:"Token expires",theme:"Theme",themes:[["system","System"],["light",
"Light"],["dark","Dark"]],density:"Density",densities:[["dense","Dense"],["comfortable","Comfortable"]],singleKeys:"Sing\
le-letter shortcuts",leave:"Sign out",endsSoon:e=>`Session ends ${e}`,may:(e,t)=>({agent:`Acts only as ${t??"its workspa\
ce"}`,viewer:`Reads ${t??"a workspace"} and all below it`,operator:`Reads and acts in ${t??"a workspace"} and all below \
it`,admin:"Full access to this server"})[e]},jump:{button:"Search or jump…",title:"Jump to",label:"Name of a workspace\
, id of a memory, or page",placeholder:"Workspace, id or page",results:"Results",nothing:"No results",page:"Page",thisWorkspace:"\
This workspace",workspaceById:"Workspace with this id",memoryById:"Memory with this id, as this workspace reads it"},help:{
title:"Keyboard shortcuts",groups:e=>[["Everywhere",[[[`${e}K`],"Jump to a workspace, memory or page"],[["g","t"],"Go to\
 the tree"],[["g","h"],"Go to the orgs"],[["g","s"],"Go to the system page"],[["g","a"],"Go to the audit page"],[["."],"\
Show new memories"],[["?"],"Show these shortcuts"],[["Esc"],"Close the top layer, then clear the filter"]]],["A workspac\
e",[[["1","…","8"],"Switch the view"],[["l"],"Lens: workspaces that it can read"],[["⇧L"],"Lens: workspaces that can\
 read it"],[["c"],"Compare with another workspace"],[["w"],"Write a memory or a key"],[["e"],"Edit the open memory (auth\
or only)"],[["r"],"Redact the open memory or the selection"]]],["Lists",[[["/"],"Search or filter the list"],[["j","↓"],
"Next row, also from the search field"],[["k","↑"],"Previous row"],[["Enter","o"],"Open"],[["y"],"Copy the id of the o\
pen memory"],[["x"],"Select; with Shift, select a range"],[["p"],"Show the trace of the row’s run or session"]]],["The\
 tree",[[["→"],"Expand, then go to the first child"],[["←"],"Collapse, then go to the parent"],[["*"],"Expand all si\
blings"],[["Home","End"],"First and last row"],[["a","…","z"],"Go to a name"]]]]},lens:{title:"Lens",off:"Off",reads:"\
Can read",readBy:"Read by",sentence:(e,t)=>e==="reads"?`Workspaces that ${t} can read`:`Workspaces that can read ${t}`,mark:(e,t,r)=>`${e===
"reads"?"readable":"can read"}: ${t} – ${r}`,none:e=>e==="reads"?"not readable":"cannot read it"},live:{on:"Live",connecting:"\
Connecting",waiting:e=>`Retry in ${e} s`,paused:"Paused",title:{on:"Changes are shown as they happen.",connecting:"Conne\
cting to the event stream.",waiting:"The event stream was interrupted and reconnects.",paused:"Updates are paused while \
this page is in the background."},arrived:e=>e===void 0?"New memories":`${e} new`,announced:e=>e===void 0?"New memories":
W(e,"new memory","new memories"),changed:"Changed since it was loaded"},notFound:{title:"Page not found",why:"There is n\
o page at this address.",home:"Go to the start page"}};var Ho={memories:{search:"Search readable memories",select:"Select this memory",scope:"Scope",allScopes:"All",order:"Ord\
er",listOrders:[["","Newest first"],["confidence","Most confident first"]],searchOrders:[["","Best match first"],["recen\
t","Newest first"],["confidence","Most confident first"]],none:e=>`${e} can read no memories yet`,how:"Memories appear h\
ere when an agent commits them, its own or one of its team:",nothingMatches:"Nothing matches",shown:(e,t)=>`${t?"The fir\
st ":""}${W(e,"memory","memories")} shown`},agentView:{do:"View as agent",hint:"The exact text that the agent receives, \
in this order; content of other workspaces is quoted",via:{self:"own",parent:"from its lead",sibling:"from its team",child:"\
from its member",org:"from the org"},copy:"Copy the text that the agent receives"},score:{of:e=>`score ${e.toFixed(2)}`,
similarity:e=>`similarity ${e.toFixed(2)}`,similarityHint:"Cosine similarity of the memory and the query, from -1 to 1",
parts:"Parts of the score",names:{words:"Query words",pairs:"Adjacent word pairs",meaning:"Semantic similarity",voice:"D\
ifferent speaker",named_author:"Author named in the query",date:"Date named in the query",before:"Memory before it",after:"\
Memory after it",session:"Best of its session",recency:"Recency of its session",confidence:"Confidence",pin:"Pinned",repetition:"\
Repeats another result"}},modes:{title:"Search mode",keyword:[["","Auto"],["keyword","Keyword"]],withEmbedder:"With an e\
mbedder",semantic:[["semantic","Semantic"],["hybrid","Hybrid"]]},filters:{title:"Filters",add:"Filter",which:"Field",value:"\
Value",pinned:[["true","pinned"],["false","not pinned"]],remove:"Remove this filter",missing:"Enter a value.",without:e=>`\
Without ${e}`,names:{namespace:"Namespace",kind:"Kind",source:"Source",tag:"Tag",author:"Author",subject:"Subject",session_id:"\
Session",run_id:"Run",since:"Since",until:"Until",min_confidence:"Confidence",pinned:"Pinned"},hints:{namespace:"The lab\
el of the memory.",kind:"fact, summary, checkpoint or another word.",source:"The origin of the memory.",tag:"A whole tag\
.",author:"The id of the workspace that wrote it.",subject:"The id of the end user it is about.",session_id:"The session\
 in which it was written.",run_id:"The id of the run it belongs to.",since:"Committed at this time or later.",until:"Com\
mitted before this time.",min_confidence:"Minimum, from 0 to 1.",pinned:"Listed before the others, or not."},sentences:{
namespace:e=>`in ${e}`,kind:e=>`kind ${e}`,source:e=>`from ${e}`,tag:e=>`#${e}`,author:e=>`by ${e}`,subject:e=>`about ${e}`,
session_id:e=>`session ${e}`,run_id:e=>`run ${e}`,since:e=>`since ${e}`,until:e=>`until ${e}`,min_confidence:e=>`confide\
nce ≥ ${e}`,pinned:e=>e==="false"?"not pinned":"pinned"}},audience:{none:"Only this workspace can read it.",org:e=>`Ev\
eryone in the org: ${e} other workspaces.`,parent:e=>e,siblings:e=>`${e} siblings`,children:e=>`${e} children`,list:e=>`\
Read by ${new Intl.ListFormat("en",{style:"long",type:"conjunction"}).format(e)}.`},write:{do:"Write",title:e=>`Write as\
 ${e}`,content:"Content",scope:"Scope",fields:{title:"Title",namespace:"Namespace",kind:"Kind",tags:"Tags",confidence:"C\
onfidence"},titleExample:"one line, searchable",tagsExample:"one, another",expiry:"Expiry",saved:"Saved.",replaced:(e,t)=>`${e}\
 × ${t}`,scrubbed:e=>`Replaced before it was stored: ${e}.`},tagging:{ask:"Tags…",title:e=>`Tag ${W(e,"memory","memor\
ies")}`,add:"Add",remove:"Remove",do:e=>`Tag ${W(e,"memory","memories")}`,done:e=>`${W(e,"memory","memories")} tagged.`}};var Uo={refresh:"Refresh",asOf:"As of",cancel:"Cancel",close:"Close",more:"Show more",unknown:"–",time:{now:"now",ago:e=>`${e}\
 ago`,ahead:e=>`in ${e}`},copy:{id:"Copy the id",this:"Copy",done:"Copied"},states:{loading:"Loading",offline:"The serve\
r does not respond",notFound:"Not found",failed:"The request failed",noResponse:"No response from the server. The page m\
ay be out of date.",retrying:"Retrying…",busy:"The request is retried as soon as the server allows it.",request:"Reque\
st"},lifetimes:[["","Never"],["3600","In 1 hour"],["86400","In 1 day"],["604800","In 7 days"],["2592000","In 30 days"],[
"31536000","In 1 year"]],conflict:{title:"Edit conflict",changed:e=>`Version ${e} was saved while you were editing. Noth\
ing that you typed is lost.`,dropped:"It was deleted or expired while you were editing. Nothing that you typed is lost.",
theirs:"Theirs",mine:"Yours",useTheirs:"Use theirs",useMine:"Use yours",merged:"Result",hint:"Edit the result, then save\
.",accept:"Use this result"},diff:{title:"Changes",kinds:{same:"",removed:"removed: ",added:"added: "}}};var jo={tabs:{memories:"Memories",state:"State",timeline:"Timeline",reach:"Reach",profiles:"Profiles",runs:"Runs",access:"\
Access",connect:"Connect"},workspace:{absent:"Workspace not found",views:"Views of this workspace",addChild:"New child w\
orkspace",name:"Name",role:"Role of its agent",roleHint:"A few words; optional."},orgs:{title:"Orgs",name:"Org",created:"\
Created",create:"Create an org",none:"No org yet",how:"An org is a root workspace and all below it: the agents and their\
 memories.",demo:"Load the demo",demoText:"The demo is a company of 59 agents. Removing its root workspace removes the d\
emo."},import:{ask:"Import…",title:"Import an org",file:"File",text:"Or its text",hint:"YAML or JSON. Existing items a\
re kept. Nothing is imported before you have seen the preview.",example:`name: Acme
children:
  - name: Dev Lead
    role: Leads the developers
    children:
      - name: Coder`,preview:"Preview import",previewTitle:"Import preview",isNew:"New",existing:"Existing",do:e=>e===0?
"Import":`Import ${W(e,"workspace","workspaces")}`,done:(e,t)=>`${W(e,"workspace","workspaces")} and ${W(t,"memory","mem\
ories")} imported.`},workspaceActions:{menu:"Actions",rename:"Rename…",renameTitle:e=>`Rename ${e}`,save:"Save",renamed:e=>`\
Renamed to ${e}.`,move:"Move…",moveTitle:e=>`Move ${e}`,moveTo:"New parent",moveHint:"Part of its name. All workspaces\
 below it move too; read access follows the tree at once.",moveDo:e=>`Move ${W(e,"workspace","workspaces")}`,moved:(e,t)=>`${e}\
 is now below ${t}.`,remove:"Remove…",removeTitle:e=>`Remove ${e}`,removeText:(e,t)=>`${e} stops working at once: its \
tokens are refused, and ${t===0?"it has no memories":`its ${W(t,"memory is","memories are")} no longer readable`}.`,below:e=>e===
1?"The workspace below it":`The ${e} workspaces below it`,promote:"Move up to its parent",cascade:"Remove too, with all \
below",removeDo:e=>`Remove ${W(e,"workspace","workspaces")}`,removed:e=>`${e} is removed.`},preview:{title:"Effect of th\
is change",nothing:"No workspace that you can see gains or loses memories.",affected:e=>`${W(e,"workspace","workspaces")}\
 would gain or lose memories`,more:e=>`${W(e,"more workspace is","more workspaces are")} affected.`,removed:"removed",gains:"\
gains",loses:"loses"},system:{title:"System",ready:"The store is ready.",checking:"Checking the store…",notReady:e=>`T\
he store is not ready: ${e}.`,version:"Version",store:"Store",stores:{sqlite:"SQLite",postgresql:"PostgreSQL"},size:"Siz\
e of the database",orgs:"Orgs",workspaces:"Workspaces",memories:"Memories",entries:"Keys",episodes:"Episodes",since:"Up \
since",embedder:"Embedder",noEmbedder:"none: keyword search only",waiting:"Waiting to be embedded",embedded:"Embedded si\
nce start",refused:"Rejected by the embedder (keyword search only)",failed:"Failed calls",many:e=>`${e} or more`,queue:(e,t,r)=>t>
0?`${e}, ${t.toFixed(1)} a second, ${r} left`:e,failing:e=>`The embedder fails: ${e}.`,failingAct:e=>`Until it works aga\
in, searches use keywords only and new memories wait for embedding; no data is lost. Check ${e}.`}};var Ko={reach:{canRead:e=>`${e} can read`,readBy:e=>`Can read ${e}`,groups:{reads:{self:"Its own memories",parent:"The l\
ead of its team",sibling:"Members of the same team",child:"Members of the team it leads",org:"The org"},read_by:{self:"I\
tself",parent:"Members of the team it leads",sibling:"Members of the same team",child:"The lead of its team",org:"Everyo\
ne in the org"}},all:e=>`Show all ${e}`},compare:{title:"Compare",pick:"Compare with workspace…",end:"End the comparis\
on",scope:"Scope",reads:(e,t)=>`${e} reads ${t}`,yes:"Yes",no:"No",diagram:"The path from each workspace up to their com\
mon ancestor",reverse:e=>`Compare from ${e}`,relation:(e,t,r)=>({itself:`${t} is compared with itself.`,parent:`${r} is \
the parent of ${t}.`,child:`${r} is a child of ${t}.`,sibling:`${t} and ${r} are siblings.`,ancestor:`${r} is an ancesto\
r of ${t}, above its parent.`,descendant:`${r} is a descendant of ${t}, below a child.`,distant:`${t} and ${r} are in di\
fferent branches.`})[e]}};var Oe=e=>W(e,"memory","memories"),Vo={trace:{title:"Trace",runLink:e=>`run ${e.slice(-6)}`,sessionLink:e=>`session ${e}`,
show:"Show the trace",run:(e,t)=>e??`Run ${t.slice(-6)}`,session:e=>`Session ${e}`,unknown:"No run of this workspace has\
 this id: it was never started here, or its row was deleted. These are the entries of the audit log.",summary:"Summary",
steps:"Steps",counts:{recalled:"recalled",injected:"injected",written:"written",pending:"pending",committed:"committed",
dropped:"dropped",runs:e=>e===1?"run":"runs"},stepText:({action:e,phase:t,subject:r,queryHash:o,memories:{length:a}})=>{
switch(e){case"start_run":return`Started by ${r}`;case"search_memories":return`${o===void 0?"Listed":"Searched"}: ${Oe(a)}\
 returned`;case"search_session":return`Session search: ${Oe(a)} returned`;case"read_memory":return`Read ${Oe(a)}`;case"i\
nject_memories":return`${Oe(a)} injected into a prompt`;case"hold_memory":return`${Oe(a)} written, staged until the run \
ends`;case"commit_memory":return`${Oe(a)} committed`;default:{let i=Ut.access.did(e),c=t==="other"||a===0?"":`: ${Oe(a)}`;
return`${i.charAt(0).toUpperCase()}${i.slice(1)}${c}`}}},by:e=>`by ${e}`,memoriesLabel:e=>e==="recalled"?"Memories retur\
ned":"Memories",end:(e,t,r)=>e==="open"?t===0?": nothing pending":`: ${Oe(t)} pending, not readable yet`:e==="completed"?
`: ${Oe(t)} committed${r===0?"":`, ${r} had expired`}`:r===0?": nothing was written":`: ${Oe(r)} dropped, never readable`,
empty:"The audit log has no entries for it",emptySession:"No entries for this session",truncated:e=>`Only the last ${e} \
entries are shown here; the audit log has all of them.`,openRun:"Open the run",memories:"Its memories"}};var zo={state:{prefix:"Filter by key prefix…",newKey:"New key",title:"Key",key:"Key",keyHint:"Such as task/current; up\
 to 256 bytes.",value:"Value",version:"Version",versionOf:e=>`version ${e}`,expires:"Expires",expiresAt:e=>`expires ${e}`,
changed:"Changed",asJson:"Saved as JSON.",asText:"Saved as text: it is not JSON.",ttl:"Expires",ttlHint:"Saving without \
an expiry clears an earlier one.",save:"Save",saved:e=>`Saved as version ${e}.`,delete:"Delete",deleteTitle:"Delete this\
 key",deleteText:(e,t,r)=>`${e}, version ${t}, of ${r} will be deleted. A key that is set again continues with the next \
version.`,deleted:e=>`Deleted ${e}.`,gone:"The key expired or was deleted. Your text is still here; saving it sets the k\
ey again.",none:e=>`${e} has no working state yet`,nothingMatches:e=>`No key begins with ${e}`,how:"Keys appear here whe\
n its agent sets them:"},timeline:{search:"Words, prefixes or parts of words",kind:"Kind",kinds:[["","All"],["activity",
"Activity"],["memory","Memories"],["reads","Reads"]],orders:[["","Newest first"],["relevance","Best match first"]],none:e=>`\
No activity at ${e} yet`,nothingMatches:"Nothing matches",how:"The activity and memories of its agent appear here as the\
y happen.",request:"Request",response:"Response"},reads:{which:"Kind of read",kinds:[["search_memories","Searches and li\
sts"],["inject_memories","Prompt injections"],["read_memory","Single memories"],["search_session","Session searches"]],none:(e,t)=>`\
No reads of this kind by ${t} as ${e} yet`,returned:(e,t)=>e==="inject_memories"?`${W(t,"memory","memories")} injected i\
nto a prompt`:`${W(t,"memory","memories")} returned`,hash:"Hash of the query: the log stores no query text. Equal querie\
s have equal hashes.",inOrder:"In the order returned",version:(e,t)=>t>0?`${e}, version ${t}`:e},profiles:{isDefault:"de\
fault",new:"New profile",add:"New profile",delete:"Delete profile",deleteTitle:e=>`Delete the profile ${e}`,deleteText:"\
Its memories move to the default profile. This cannot be undone.",deleted:e=>`${e} deleted.`,save:"Save",create:"Create \
profile",saved:e=>`${e} saved.`,labels:{name:"Name",isDefault:"Default profile: sets the isolation and the excluded kind\
s of the workspace",isolation:"Isolation",reads:"Reading",keeps:"Retention",injects:"Context block",age:"Maximum age",ageIn:"\
Unit",entries:"Maximum memories",strategy:"Order",scopes:"Scopes",limit:"Maximum entries",confidence:"Minimum confidence",
budget:"Token budget",kinds:"Excluded kinds"},hints:{name:"One line, unique here.",age:"Counted from the last change. Em\
pty: no limit.",entries:"Keeps pinned memories, then the newest. Empty: no limit.",scopes:"None selected: all scopes.",limit:"\
From 1 to 50.",confidence:"From 0 to 1. Empty: no minimum.",budget:"Four bytes count as one token. Empty: no limit.",kinds:"\
Separated by commas. Memories of these kinds are neither committed nor recalled."},ages:[["86400","days"],["3600","hours"],
["60","minutes"],["1","seconds"]],inForce:"In force now, for every caller that acts as this workspace.",notDefault:"This\
 is not the default profile: the setting applies only to its own context block.",widens:"After saving, the workspace can\
 read everything that the tree allows.",narrows:e=>e===0?"After saving, the workspace can read the same memories as now.":
`After saving, the workspace can no longer read ${W(e,"memory","memories")}.`,narrowsUnknown:"The number of memories tha\
t become unreadable is unknown.",expires:({expires:e,too_old:t,too_many:r})=>{let o=[t>0&&`${t} too old`,r>0&&`${r} too \
many`].filter(Boolean).join(", ");return`${W(e,"memory of this profile expires","memories of this profile expire")} at t\
he next sweep, within a minute: ${o}.`},expiresUnknown:"– memories of this profile expire at the next sweep.",expireTitle:e=>`\
Save ${e}`,expireText:"Their content is deleted, with all versions. A more permissive profile does not restore them.",expire:e=>`\
Save and expire ${W(e,"memory","memories")}`,isolations:[["tree","Everything that the tree allows"],["team","No memories\
 that are shared with the whole org"],["isolated","Only its own memories"],["profile","Only what was committed into this\
 profile"]],strategies:[["confidence","Highest confidence, then newest"],["recent","Pinned, then newest"],["relevance","\
Best match for the query; without one, own and shared memories in turn"],["off","Empty block"]]},context:{title:"Context\
 preview",description:"The block that goes before a prompt, built from the saved profile. Each preview is a read and is \
recorded in the audit log.",unavailable:"Available after the profile is created.",query:"Topic of the prompt",queryHint:"\
Optional.",show:"Show the block",block:"The block",size:(e,t,r)=>`${W(e,"memory","memories")}, ${W(t,"token","tokens")}${r===
void 0?"":` of ${r}`}`,empty:"The block is empty.",omitted:e=>e<50?`Left out: ${W(e,"memory","memories")}`:`Left out: th\
e first ${e} candidates`},runs:{run:"Run",status:"Status",statuses:{open:"Open",completed:"Completed",failed:"Failed",cancelled:"\
Cancelled",timed_out:"Timed out"},all:"All",session:"Session",by:"Started by",started:"Started",ends:"Ends",ended:"Ended",
timesOut:"Times out",left:e=>`in ${e}`,overdue:"now",memories:"Memories",counts:(e,t,r)=>e==="open"?`${t} pending`:[...t>
0?[`${t} committed`]:[],...r>0?[`${r} dropped`]:[]].join(", ")||"none",pending:e=>e===0?"Nothing is pending":`${W(e,"mem\
ory","memories")} pending`,notReadable:"Not readable yet: in no list, search or count.",droppedText:"Its pending memorie\
s were dropped; nothing of them is stored.",showCommitted:e=>`Show ${W(e,"committed memory","committed memories")}`,log:"\
Audit log of this run",finish:e=>e===0?"Finish":`Finish: commit ${W(e,"memory","memories")}`,finishTitle:"Finish this ru\
n",finishText:(e,t)=>t===0?"The run is completed. No memories are pending.":`All pending memories are committed at once \
as ${e}, by the current tree and rules, and become readable according to their scope. If one of them cannot be committed\
, none is and the run stays open.`,finished:e=>`The run is completed: ${W(e,"memory","memories")} committed.`,drop:e=>e===
0?"Cancel the run":`Drop ${W(e,"memory","memories")}`,dropTitle:"Drop this run",dropText:"The pending memories are delet\
ed permanently. The run stays in the list as cancelled.",dropped:e=>`The run is cancelled: ${W(e,"memory","memories")} d\
ropped.`,none:e=>`${e} has no runs yet`,nothingMatches:e=>`No run is ${e.toLowerCase()}`,how:"Memories that are committe\
d within a run stay pending until the run completes, and are dropped if it does not. An agent runtime starts a run:"}};var s={...Ut,...Wo,...No,...Bo,...qo,...Ho,...Uo,...jo,...Ko,...Vo,...zo};var Jo=e=>e.local+e.team+e.global;function Yo(e,t,r){let o=[[t,r]];for(let a=o.pop();a;a=o.pop()){let[i,c]=a,d=i.children.
length===i.child_count;e.set(i.id,{id:i.id,name:i.name,role:i.role??void 0,parent:c,childCount:i.child_count,memories:Jo(
i.memories),lastWrite:i.last_write_at??void 0,children:d?i.children.map(l=>l.id):e.get(i.id)?.children});for(let l of i.
children)o.push([l,i.id])}}function Gn(e){return{id:e.id,name:e.name,role:e.role??void 0,parent:e.path.at(-1)?.id,childCount:e.
child_count,memories:Jo(e.memories),lastWrite:e.last_write_at??void 0,children:void 0}}function Jn(e,t,r){let o=[],a=[],
i=(c,d)=>{for(let l=c.length-1;l>=0;l-=1)a.push([c[l],d,c.length,l+1])};i(t,1);for(let c=a.pop();c;c=a.pop()){let[d,l,p,
u]=c,h=e.get(d);if(!h)continue;let g=h.childCount>0&&r.has(d);o.push({item:h,level:l,size:p,position:u,isOpen:g,isAncestorOnly:!1}),
g&&h.children&&i(h.children,l+1)}return o}function Qo(e){let t=new Map,r=[],o=new Set(e.map(a=>a.id));for(let a of e){let i;
for(let d of a.path)i=Go(t,r,d.id,d.name,i);let c=Go(t,r,a.id,a.name,i);Object.assign(c,{...Gn(a),parent:c.parent,children:c.
children})}for(let a of t.values())a.childCount=a.children?.length??0;return Jn(t,r,new Set(t.keys())).map(a=>({...a,isAncestorOnly:!o.
has(a.item.id)}))}function Go(e,t,r,o,a){let i=e.get(r);if(i)return i;let c={id:r,name:o,role:void 0,parent:a?.id,childCount:0,
memories:void 0,lastWrite:void 0,children:void 0};return e.set(r,c),a?(a.children??=[]).push(r):t.push(r),c}var nc=5e3,Zo="orgmem.console.open",Yn=class{items=new Map;roots=[];open=new Set(rc());failure;isLoaded=!1;version=0;me;listeners=new Set;request=new AbortController;constructor(t){
this.me=t}listen(t){return this.listeners.add(t),()=>{this.listeners.delete(t)}}async load(){this.request.abort(),this.request=
new AbortController,this.loading.clear();let{signal:t}=this.request;try{let r=new Map,o=await this.loadRoots(r,t);this.items=
r,this.roots=o,this.failure=void 0,this.open.size===0&&o[0]!==void 0&&this.open.add(o[0]),this.isLoaded=!0,this.notify(),
await Promise.all([...this.open].map(a=>this.loadChildren(a)))}catch(r){if(_e(r))return;this.failure=O(r),this.notify()}}toggle(t,r){
r?this.open.add(t):this.open.delete(t),Xo(this.open),this.notify(),r&&this.loadChildren(t)}openAll(t){for(let r of t)this.
open.add(r);Xo(this.open),this.notify();for(let r of t)this.loadChildren(r)}async reveal(t){if(!(this.items.has(t)&&this.
isVisible(t)))try{let{data:r}=await F(w.workspace(t),{signal:this.request.signal});for(let o of r.path)this.open.add(o.id),
await this.loadChildren(o.id);this.notify()}catch(r){_e(r)||O(r)}}isVisible(t){let r=this.items.get(t)?.parent;for(;r!==
void 0&&this.items.has(r);){if(!this.open.has(r))return!1;r=this.items.get(r)?.parent}return!0}async loadRoots(t,r){let{
me:o}=this;if(o.role==="admin"){let{orgs:c}=(await F(w.orgs,{signal:r})).data;for(let{org_id:d,name:l,workspaces:p}of c){
let u={role:void 0,parent:void 0,memories:void 0,lastWrite:void 0,children:void 0};t.set(d,{id:d,name:l,childCount:p>1?1:
0,...u}),this.sizes.set(d,p)}return c.map(d=>d.org_id)}if(o.workspace_id===void 0||o.workspace_id===null)return[];let{data:a}=await F(
w.workspace(o.workspace_id),{signal:r}),i=Gn(a);return t.set(a.id,{...i,parent:void 0,childCount:o.role==="agent"?0:i.childCount}),
this.sizes.set(a.id,a.descendant_count+1),[a.id]}sizes=new Map;loading=new Map;loadChildren(t){let r=this.loading.get(t);
if(r)return r;let o=this.requestChildren(t).finally(()=>{this.loading.get(t)===o&&this.loading.delete(t)});return this.loading.
set(t,o),o}async requestChildren(t){let r=this.items.get(t);if(!r||r.childCount===0||r.children)return;let o=(this.sizes.
get(t)??1/0)<=nc;try{let{data:a}=await F(w.tree(t,o?void 0:1),{signal:this.request.signal});Yo(this.items,a,r.parent),this.
notify()}catch(a){if(_e(a))return;this.failure=O(a),this.notify()}}notify(){this.version+=1;for(let t of[...this.listeners])
t()}};function rc(){try{return JSON.parse(sessionStorage.getItem(Zo)??"[]")}catch{return[]}}function Xo(e){try{sessionStorage.
setItem(Zo,JSON.stringify([...e].slice(-500)))}catch{}}var ot;function es(e){return(!ot||!oc(ot,e))&&(ot=new Yn(e),ot.load()),
ot}function oc(e,t){return e.me.jti===t.jti}function me(){ot?.load(),xe(e=>e.startsWith("/workspaces")||e.startsWith("/a\
dmin"))}function ts(e){return ot?.items.get(e)?.name}async function*ns(e,t){let r="";for await(let o of Vr(e,t)){let a=(r+o).split(`

`);r=a.pop()??"";for(let i of a){let c=sc(i);c&&(yield c)}}}function sc(e){let t=e.split(`
`).map(a=>/^(\w+): ?(.*)$/.exec(a)),r=a=>t.filter(i=>i?.[1]===a).map(i=>i?.[2]??""),o=r("data");return o.length===0?void 0:
{kind:r("event").at(-1)??"message",data:o.join(`
`)}}var ic=["memory_committed","memory_edited","memory_deleted","memory_redacted"],ac=["workspace_created","workspace_edited",
"workspace_moved","workspace_removed"],cc={kv_changed:"memory",profile_changed:"profiles",run_started:"runs",run_changed:"\
runs",run_finished:"runs",activity_logged:"session-search",activity_redacted:"session-search"},dc=["memory","session-sea\
rch"],rs=[1,2,5,10,30],lc=400,Qn=new Set,Xn=new Set,Zn=class{path;state="off";retryAt=0;request;timer;flushTimer;failures=0;wasConnected=!1;removed=new Set;committed=[];changes={
memories:!1,tree:!1,all:!1};paths=new Set;outdated=[];watch(t){t!==this.path&&(this.path=t,this.wasConnected=!1,this.failures=
0,this.open())}open(){if(clearTimeout(this.timer),this.request?.abort(),this.request=void 0,this.path===void 0)return this.
set("off");if(document.hidden)return this.set("paused");this.set("connecting");let t=new AbortController;this.request=t;
let r=()=>{this.request===t&&this.retryLater()};this.consume(this.path,t).then(r,o=>{r(),_e(o)||O(o)})}async consume(t,r){
for await(let o of ns(t,r.signal)){if(this.request!==r)return;this.handle(o)}}handle({kind:t,data:r}){if(t==="ready")return this.
onConnected();if(t==="resync")return this.schedule({all:!0});if(t==="end")return this.onServerEnd();if(ac.includes(t))return this.
schedule({tree:!0});let o=JSON.parse(r),a=cc[t];ic.includes(t)?this.onMemoryEvent(t,o):a!==void 0&&this.onResourceEvent(
o,a)}onConnected(){this.failures=0,this.set("on"),this.wasConnected&&this.schedule({all:!0}),this.wasConnected=!0}onServerEnd(){
ye(w.me),this.retryLater()}retryLater(){this.request?.abort(),this.request=void 0;let t=rs[Math.min(this.failures,rs.length-
1)]??30;this.failures+=1,this.retryAt=Date.now()+t*1e3,this.timer=setTimeout(()=>this.open(),t*1e3),this.set("waiting")}onMemoryEvent(t,{
workspace_id:r,memory_id:o,scope:a,details:i}){if(t==="memory_committed"){let c=Number(i?.write_count??1);this.committed.
push({author:r,scope:a,id:o,count:c})}else o!==void 0&&t==="memory_edited"?this.outdated.push([`/memories/${o}`,os("id",
o,i)]):o!==void 0&&(this.paths.add(`/memories/${o}`),this.removed.add(o));this.schedule({memories:!0})}onResourceEvent({
workspace_id:t,details:r},o){let a=`/workspaces/${t}/${o}`;dc.includes(o)?this.outdated.push([a,o==="memory"?os("key",r?.
key,r):()=>!0]):this.paths.add(a),this.schedule({})}schedule(t){Object.assign(this.changes,t),this.flushTimer??=setTimeout(
()=>this.flush(),lc)}flush(){this.flushTimer=void 0;let{changes:t,removed:r,committed:o}=this,[a,i]=[[...this.paths],this.
outdated];if(this.paths.clear(),this.outdated=[],this.committed=[],this.changes={memories:!1,tree:!1,all:!1},this.removed=
new Set,t.tree||t.all)return me();a.length>0&&xe(c=>a.some(d=>c.includes(d)));for(let[c,d]of i)Oo(l=>uc(c,l),d);if(t.memories)
for(let c of[...Xn])c({committed:o,removed:r})}set(t){this.state=t;for(let r of[...Qn])r()}},dt=new Zn;document.addEventListener(
"visibilitychange",()=>{(document.hidden||dt.state==="paused")&&dt.open()});function ss(e){return Qn.add(e),()=>{Qn.delete(
e)}}function os(e,t,r){return o=>{let i=(Array.isArray(o)?o:[o]).find(d=>d[e]===t);if(!i&&!Array.isArray(o))return!1;let c=i?.
version;return r?.change==="dropped"?c!==void 0:c===void 0||Number(c)<Number(r?.version)}}function uc(e,t){let r=t.indexOf(
e);return r>=0&&["","/","?"].includes(t.charAt(r+e.length))}function is(e){return Xn.add(e),()=>{Xn.delete(e)}}var pc=Symbol.for("pv"),mc=0;function n(e,t,r,o,a,i){t||(t={});var c,d,l=t;if("ref"in l&&typeof e!="function")for(d in l={},t)d=="ref"?c=t[d]:l[d]=t[d];
var p={type:e,props:l,key:r,ref:c,__k:null,__:null,__b:0,__e:null,__c:null,constructor:pc,__v:--mc,__i:-1,__u:0};return(a||
i)&&(p.__source=a,p.__self=i),Z.vnode&&Z.vnode(p),p}var jt={memories:"false"};function er(e){let[,t]=f(0);return P(()=>ss(()=>t(r=>r+1)),[]),P(()=>dt.watch(e),[e]),dt.state}
function as({me:e,selected:t}){let r=M(t&&w.workspace(t)).data,o=e.workspace_id??r?.org_id,a=o===void 0?void 0:w.events(
o,e.role==="agent"?jt:{...jt,subtree:"true"});return n(tr,{state:er(a)})}function tr({state:e}){let[,t]=f(0);return P(()=>{
if(e!=="waiting")return;let r=setInterval(()=>t(o=>o+1),1e3);return()=>clearInterval(r)},[e]),e==="off"?null:n("span",{class:`\
live ${e}`,title:s.live.title[e],children:n("span",{class:"live-word",children:fc(e)})})}function fc(e){return e!=="wait\
ing"?s.live[e]:s.live.waiting(Math.max(1,Math.ceil((dt.retryAt-Date.now())/1e3)))}function re(e,t=r=>r){let r=M(e),o=L(void 0),[a,i]=f(cs(void 0,void 0)),c=L(void 0),d=a.first===r.data,l=d?a:cs(r.data,r.
next),p=d?a.next:r.next,u=Ve(()=>r.data&&[...t(r.data),...l.rows],[r.data,l.rows]);u&&(o.current=u),P(()=>()=>c.current?.
abort(),[e]);let h=co(async()=>{if(p===void 0||l.isLoading)return;let g=new AbortController;c.current=g;let m={...l,first:r.
data,next:p,isLoading:!0,failure:void 0};i(m);try{let y=await F(p,{signal:g.signal});i({...m,rows:[...m.rows,...t(y.data)],
next:y.next,isLoading:!1})}catch(y){_e(y)||i({...m,isLoading:!1,failure:O(y)})}},[p,l,r.data]);return{rows:u??(r.failure?
void 0:o.current),isStale:r.data===void 0&&o.current!==void 0,isLoading:r.isLoading||l.isLoading,isOutdated:r.isOutdated,
failure:r.failure??l.failure,hasMore:p!==void 0,more:()=>{h()},reload:()=>e!==void 0&&ye(e)}}var hc=[];function cs(e,t){
return{first:e,rows:hc,next:t,isLoading:!1,failure:void 0}}var ds="orgmem.console",Kt={theme:"system",density:"dense",singleKeys:!0,treeWidth:320},gc=["system","light","dark"];function yc(){
let e=new URLSearchParams(location.search),t=gc.find(r=>r===e.get("theme"))??Kt.theme;return{...Kt,theme:t,singleKeys:e.
get("keys")!=="off"}}function bc(){if(Re)return yc();try{return{...Kt,...JSON.parse(localStorage.getItem(ds)??"{}")}}catch{
return Kt}}var Ee={current:bc()},nr=new Set;function lt(e){Ee.current={...Ee.current,...e};try{localStorage.setItem(ds,JSON.
stringify(Ee.current))}catch{}rr();for(let t of[...nr])t()}function ls(e){return nr.add(e),()=>{nr.delete(e)}}function rr(){
let{theme:e,density:t,treeWidth:r}=Ee.current,o=document.documentElement;e==="system"?delete o.dataset.theme:o.dataset.theme=
e,o.dataset.density=t,o.style.setProperty("--tree-width",`${r}px`)}var wc=1e3,Vt=[],Ct;function be(e){let t=L(e);t.current=e,Bt(()=>(Vt.push(t),()=>{Vt.splice(Vt.indexOf(t),1)}),[])}function kc(e){
let t=e.key.length===1,r=e.ctrlKey||e.metaKey?"Mod+":"",o=e.shiftKey&&(!t||/[a-z]/i.test(e.key))?"Shift+":"";return`${r}${o}${t?
e.key.toLowerCase():e.key}`}function vc(e){return e instanceof HTMLElement&&e.matches("input:not([type=checkbox], [type=\
radio]), textarea, select")}function us(e,t){for(let r of[...Vt].reverse()){let o=r.current[e];if(!(!o||o(t)===!1))return t.
preventDefault(),!0}return!1}addEventListener("keydown",e=>{if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=kc(
e),r=!t.startsWith("Mod+")&&e.key.length===1;if(vc(e.target)&&(r||!/^(Mod\+|Escape)/.test(t))||document.querySelector("d\
ialog[open]:modal")&&t!=="Mod+k"||r&&!Ee.current.singleKeys&&t!=="?")return;let o=Ct&&e.timeStamp-Ct.at<wc?`${Ct.key} ${t}`:
void 0;if(Ct=void 0,!(o!==void 0&&us(o,e))){if(t==="g"){Ct={key:"g",at:e.timeStamp};return}us(t,e)}});var zt=/Mac|iPhone|iPad/.
test(navigator.platform)?"⌘":"Ctrl ";function Le({children:e,size:t=16}){return n("svg",{class:"icon",width:t,height:t,viewBox:"0 0 16 16","aria-hidden":"tru\
e",focusable:"false",children:e})}var we={fill:"none",stroke:"currentColor","stroke-width":1.5,"stroke-linecap":"round"},
ps=()=>n(Le,{size:12,children:n("path",{...we,"stroke-width":2,d:"M6 3.5 10.5 8 6 12.5"})}),fe=()=>n(Le,{children:n("pat\
h",{...we,d:"m4 4 8 8m0-8-8 8"})}),Gt=()=>n(Le,{children:n("path",{...we,d:"m3.5 8.5 3 3 6-7"})}),Me=()=>n(Le,{children:[
n("circle",{...we,cx:"7",cy:"7",r:"4"}),n("path",{...we,d:"m10 10 3.5 3.5"})]}),ms=()=>n(Le,{children:n("path",{...we,d:"\
M3 4.5h10M3 8h10M3 11.5h10"})}),Pt=()=>n(Le,{children:n("path",{...we,d:"M8 3.5v9M3.5 8h9"})}),Jt=()=>n(Le,{size:12,children:n(
"path",{...we,d:"M5.5 2.5h5l-.7 4.2 2.2 2.6H4l2.2-2.6zM8 9.5v4"})}),fs=()=>n(Le,{children:[n("rect",{...we,x:"5.5",y:"5.\
5",width:"7.5",height:"8",rx:"1.2"}),n("path",{...we,d:"M10.5 5.5V4a1.2 1.2 0 0 0-1.2-1.2H4.2A1.2 1.2 0 0 0 3 4v5.3a1.2 \
1.2 0 0 0 1.2 1.2h1.3"})]}),hs=()=>n(Le,{children:[n("circle",{...we,cx:"8",cy:"3.5",r:"1.7"}),n("circle",{...we,cx:"3.8",
cy:"12.3",r:"1.7"}),n("circle",{...we,cx:"12.2",cy:"12.3",r:"1.7"}),n("path",{...we,d:"M8 5.2v2.3M3.8 10.6V9a1.5 1.5 0 0\
 1 1.5-1.5h5.4A1.5 1.5 0 0 1 12.2 9v1.6"})]}),gs=()=>n(Le,{children:n("path",{...we,d:"M2.8 12a6 6 0 1 1 10.4 0M8 9.5 10\
.6 6"})}),ys=()=>n(Le,{children:n("path",{...we,d:"M6 4.5h7M6 8h7M6 11.5h7M3 4.5h.01M3 8h.01M3 11.5h.01"})});function De({scope:e}){return n("svg",{class:"icon",width:"12",height:"12",viewBox:"0 0 12 12","aria-hidden":"true",focusable:"\
false",children:[e==="LOCAL"&&n("circle",{cx:"6",cy:"6",r:"2.4",fill:"currentColor"}),e==="TEAM"&&n(R,{children:[n("circ\
le",{cx:"6",cy:"3.2",r:"2",fill:"currentColor"}),n("circle",{cx:"3",cy:"8.8",r:"2",fill:"currentColor"}),n("circle",{cx:"\
9",cy:"8.8",r:"2",fill:"currentColor"})]}),e==="GLOBAL"&&n(R,{children:[n("circle",{cx:"6",cy:"6",r:"1.8",fill:"currentC\
olor"}),n("circle",{cx:"6",cy:"6",r:"4.6",fill:"none",stroke:"currentColor","stroke-width":"1.4"})]})]})}function ke({scope:e,of:t}){return n("span",{class:`scope ${e.toLowerCase()}`,children:[n(De,{scope:e}),n("span",{children:e}),
t!==void 0&&n("span",{class:"of",children:n("bdi",{children:t})})]})}function Yt({children:e,onRemove:t}){return n("butt\
on",{type:"button",class:"chip",onClick:t,onKeyDown:r=>{(r.key==="Delete"||r.key==="Backspace")&&t()},children:[n("span",
{class:"chip-text",children:e}),n(fe,{}),n("span",{class:"unseen",children:s.filters.remove})]})}var Qt=["memories","state","timeline","reach","profiles","runs","access","connect"];function bs(){return decodeURI(location.
pathname).slice(decodeURI(tt.pathname).length)}var _c=["theme","keys"];function xc(e){if(Re)return{name:"workspace",id:e.
split("/").at(-1)??"",tab:"memories"};let[t,r,o]=e.split("/");if(t===""||t===void 0)return{name:"home"};if(t==="system"&&
r===void 0)return{name:"system"};if(t==="audit"&&r===void 0)return{name:"audit"};if(t==="w"&&r&&(o===void 0||o===""))return{
name:"workspace",id:r,tab:"memories"};let a=Qt.find(i=>i===o);return t==="w"&&r&&a?{name:"workspace",id:r,tab:a}:{name:"\
not_found"}}function Ne(){return{screen:xc(bs()),query:new URLSearchParams(location.search)}}var or=new Set;function ws(){
for(let e of[...or])e()}addEventListener("popstate",ws);function sr(e){let t=new URL(e,tt);if(Re){let r=new URLSearchParams(
location.search);for(let o of _c)r.has(o)&&t.searchParams.set(o,r.get(o)??"")}return t.href}function ir(e){let t=r=>r.pathname.
toLowerCase();return Re&&t(new URL(e,tt))!==t(location)}function Q(e,t={}){if(ir(e))return;let r=sr(e);r!==location.href&&
(t.replace?history.replaceState(null,"",r):history.pushState(null,"",r),ws())}function ie(e,t=Ne()){let r=new URLSearchParams(
t.query);for(let[a,i]of Object.entries(e))i===void 0||i===""?r.delete(a):r.set(a,i);let o=r.toString();return`${Sc(t.screen)}${o===
""?"":`?${o}`}`}function A(e,t={}){Q(ie(e),t)}function Sc(e){switch(e.name){case"home":return"./";case"system":case"audi\
t":return e.name;case"workspace":return C(e.id,e.tab);case"not_found":return bs()}}function C(e,t="memories"){return Re&&
t==="memories"?`embed/w/${e}`:`w/${e}/${t}`}function ee(){let[e,t]=f(Ne);return P(()=>{let r=()=>t(Ne());return or.add(r),
r(),()=>{or.delete(r)}},[]),e}function _({children:e,kind:t="plain",type:r="button",disabledReason:o,isBusy:a,...i}){let c=We(),d=n("button",{...i,type:r,
class:`button ${t} ${i.class??""}`,"aria-disabled":o!==void 0||a?"true":void 0,"aria-describedby":o===void 0?void 0:c,onClick:l=>{
o!==void 0||a?l.preventDefault():i.onClick?.(l)},children:e});return o===void 0?d:n("span",{class:"blocked",children:[d,
n("span",{class:"why",id:c,children:o})]})}function ge({label:e,children:t,isPressed:r,expanded:o,...a}){return n("butto\
n",{...a,type:"button",class:`icon-button ${a.class??""}`,"aria-label":e,title:e,"aria-pressed":r,"aria-expanded":o,children:t})}
function T({to:e,children:t,...r}){return ir(e)?n("span",{class:r.class,title:r.title,children:t}):n("a",{...r,href:sr(e),
onClick:o=>{o.ctrlKey||o.metaKey||o.shiftKey||o.button!==0||(o.preventDefault(),Q(e))},children:t})}function N({label:e,
hint:t,fault:r,children:o}){let a=We(),i=[t?`${a}-hint`:"",r?`${a}-fault`:""].filter(Boolean).join(" ");return n("div",{
class:"field",children:[n("label",{for:a,children:e}),o({id:a,"aria-describedby":i||void 0,"aria-invalid":r!==void 0}),t&&
n("p",{class:"hint",id:`${a}-hint`,children:t}),r&&n("p",{class:"fault",id:`${a}-fault`,role:"alert",children:r})]})}function Y({
value:e,options:t,onChange:r,label:o,id:a}){return n("select",{id:a,"aria-label":o,value:e,onChange:i=>r(i.currentTarget.
value),children:t.map(([i,c])=>n("option",{value:i,selected:i===e,children:c},i))})}function Ge({isOutdated:e,reload:t,hasKey:r=!1}){return n(R,{children:[e&&n("button",{type:"button",class:"arrivals",onClick:t,
children:[s.live.changed," ",r&&n("kbd",{children:"."})]}),n("span",{class:"unseen",role:"status",children:e?s.live.changed:
""})]})}function Rc(e){return(e.toLowerCase().match(/[\p{L}\p{N}_]+/gu)??[]).map(r=>r.length>5?r.slice(0,-2):r.replace(/s$/,"")).
filter(Boolean)}var Tc=/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u,Cc=/(\[REDACTED:[A-Z0-9_]+\])/;
function ks(e){return e.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}function Pc(e){let t=Rc(e);if(t.length===0)return;let r=t.
map(o=>Tc.test(o)?`[${ks(o)}]{2,}`:`(?<![\\p{L}\\p{N}])${ks(o)}[\\p{L}\\p{N}_]*`);return new RegExp(`(${r.join("|")})`,"\
giu")}function ae({text:e,query:t=""}){let r=Pc(t);return n("bdi",{children:e.split(Cc).map((o,a)=>a%2===1?n("span",{class:"\
stand-in",title:s.memory.standIn,children:o},a):r?o.split(r).map((i,c)=>c%2===1?n("mark",{children:i},`${a} ${c}`):i):o)})}
function $e({id:e}){return n(Je,{text:e,label:s.copy.id,children:n("code",{title:e,children:`${e.slice(0,8)}…${e.slice(
-4)}`})})}async function ar(e){try{return await navigator.clipboard.writeText(e),!0}catch{return Ec(e)}}function Ec(e){let t=document.
createElement("textarea");t.value=e,t.className="unseen",(document.querySelector("dialog[open]")??document.body).append(
t),t.select();let r=document.execCommand("copy");return t.remove(),r}function Je({text:e,label:t,children:r}){let[o,a]=f(
!1),i=L(void 0),c=async()=>{a(await ar(e)),clearTimeout(i.current),i.current=setTimeout(()=>a(!1),2e3)};return n("button",
{type:"button",class:"copy",title:t,onClick:()=>{c()},children:[r,o?n(Gt,{}):n(fs,{}),n("span",{class:"unseen","aria-liv\
e":"polite",children:o?s.copy.done:t})]})}function he({text:e,label:t}){return n("div",{class:"snippet",children:[n("pre",
{tabIndex:0,"aria-label":t,children:e}),n(Je,{text:e,label:s.copy.this})]})}function te({title:e,children:t}){return n("div",{class:"empty",children:[n("p",{class:"empty-title",children:e}),t]})}function U({
rows:e=6,height:t=56}){return n("div",{class:"waiting",role:"status","aria-label":s.states.loading,children:Array.from({
length:e},(r,o)=>n("div",{style:{height:`${t}px`},children:[n("span",{}),n("span",{})]},o))})}function I({failure:e}){let t=e.
problem.request_id;return n("div",{class:`refused ${e.status>=500||e.status===0?"broken":""}`,role:"alert",children:[n("\
p",{class:"refused-title",children:Mc(e)}),n("p",{children:n("bdi",{children:J(e)})}),e.isTransient&&n("p",{class:"quiet",
children:e.status===429?s.states.busy:s.states.retrying}),t&&n("p",{class:"quiet",children:[s.states.request," ",n("code",
{children:t})," ",n(Je,{text:t,label:s.copy.id})]})]})}function Mc(e){return e.status===0?s.states.offline:e.status===404?
s.states.notFound:e.problem.title??s.states.failed}function J(e){let t=e.problem.detail;return t===void 0?s.states.noResponse:
ue(t)}function ue(e){return`${e.charAt(0).toUpperCase()}${e.slice(1)}.`}function X(e,t){let r=e?.more("field");return e&&
r===t?J(e):void 0}var $c=new Intl.DateTimeFormat(void 0,{dateStyle:"full",timeStyle:"long"}),Ac=new Intl.DateTimeFormat(void 0,{timeStyle:"\
medium"}),Lc=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Ic=new Intl.DateTimeFormat(void 0,{dateStyle:"full"}),Oc=new Intl.
DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Dc=[[60,1,"s"],[3600,60,"min"],[86400,3600,"h"],[86400*60,
86400,"d"],[86400*730,86400*30.44,"months"],[1/0,86400*365.25,"years"]];function ut(e,t){let r=Math.abs(t-e)/1e3;if(r<5)
return s.time.now;let[,o,a]=Dc.find(([i])=>r<i)??[0,1,"s"];return`${Math.floor(r/o)} ${a}`}function Ye(e,t=Date.now()){let r=Date.
parse(e),o=ut(t,r);return o===s.time.now?o:r>t?s.time.ahead(o):s.time.ago(o)}var Fe=e=>$c.format(new Date(e)),Xt=e=>Lc.format(
new Date(e)),Be=e=>Ac.format(new Date(e)),vs=e=>Ic.format(new Date(e)),pt=e=>Oc.format(new Date(e)),cr=new Set;setInterval(
()=>{if(!document.hidden)for(let e of[...cr])e()},3e4);function qe(){let[,e]=f(0);return P(()=>{let t=()=>e(Date.now());
return cr.add(t),()=>{cr.delete(t)}},[]),Date.now()}function j({at:e,brief:t}){let r=qe(),o=t?ut(r,Date.parse(e)):Ye(e,r);
return n("time",{dateTime:e,title:Fe(e),children:o})}var Zt=!1,lr,dr=new Set;function _s(e){if(Zt!==e){Zt=e;for(let t of[...dr])t()}}Kr(()=>_s(!0));function xs(){let[e,t]=f(
Zt);return P(()=>{let r=()=>t(Zt);return dr.add(r),r(),()=>{dr.delete(r)}},[]),e}var Ss=()=>lr;async function Rs(){let e=new URLSearchParams(
location.hash.slice(1)).get("code");if(e!==null){history.replaceState(null,"",location.pathname+location.search);try{await jn(
{code:e})}catch(t){lr=O(t)}}}async function Ts(e){await jn({token:e.trim()}),lr=void 0,_s(!1),Ht()}async function Cs(){await $o(),
location.reload()}function G(e,t){return e.may.includes(t)}function en({workspace:e,id:t,isOpen:r=!1}){let[o,a]=f(r);return n("details",{open:r,onToggle:i=>a(i.currentTarget.open),
children:[n("summary",{children:n("h3",{children:s.access.title})}),o&&n(Fc,{workspace:e,id:t})]})}function Fc({workspace:e,
id:t}){let[r,o]=f(""),a=re(w.accessOf(e.id,t,{callers:r,limit:20}));return a.failure?n(I,{failure:a.failure}):n("div",{children:[
n(Y,{label:s.callers.title,value:r,options:s.callers.all,onChange:o}),a.rows?.length===0&&n("p",{class:"quiet",children:s.
access.nothingMatches}),n("ul",{class:"accesses",children:a.rows?.map(i=>n("li",{children:[n("span",{children:[s.access.
did(i.action),n("span",{class:"quiet",children:[" ",n("bdi",{children:i.subject}),", ",i.role,i.memories[0]&&i.memories[0].
version>0&&`, ${s.memory.version(i.memories[0].version)}`]})]}),n(j,{at:i.at})]},i.seq))}),a.hasMore&&n(_,{kind:"quiet",
onClick:a.more,children:s.more})]})}function Ps({workspace:e,id:t,failure:r,redactedAt:o}){let a=r===void 0||r.status===404,i=M(a?w.why(e.id,t):void 0);return r&&
(!a||i.failure)?n(I,{failure:r}):o&&i.failure?n("div",{class:"drawer-body",children:[n("p",{class:"refused-title",children:s.
causes.redacted}),n(j,{at:o})]}):i.data?n("div",{class:"drawer-body",children:[n("div",{class:"refused",children:[n("p",
{class:"refused-title",children:s.causes[i.data.cause]}),n("p",{children:n("bdi",{children:ue(i.data.reason)})}),i.data.
since&&n("p",{class:"quiet",children:n(j,{at:i.data.since})}),i.data.superseded_by&&n("p",{children:n(T,{to:ie({m:i.data.
superseded_by}),children:s.explain.replacement})}),n("p",{class:"quiet",children:n($e,{id:t})})]}),n(en,{workspace:e,id:t,
isOpen:!0})]}):n(U,{rows:3})}function ve({title:e,onClose:t,children:r,size:o="wide",isForced:a}){let i=L(null),c=We();return P(()=>{let d=document.activeElement,
l=i.current;return l?.showModal(),()=>{l?.close(),d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),n("dialog",{ref:i,
class:o,"aria-labelledby":c,onCancel:d=>{d.preventDefault(),a||t()},children:[n("header",{children:[n("h2",{id:c,children:e}),
!a&&n(ge,{label:s.close,onClick:t,children:n(fe,{})})]}),r]})}var ur=0,Es=()=>{};function z(e,t){ur+=1,Es(t?{id:ur,text:e,
action:t}:{id:ur,text:e})}function tn(){let[e,t]=f();return Es=t,P(()=>{if(!e)return;let r=setTimeout(()=>t(void 0),1e4);
return()=>clearTimeout(r)},[e]),n("div",{class:"toasts",role:"status",children:e&&n("div",{class:"toast",children:[n("sp\
an",{children:e.text}),e.action&&n("button",{type:"button",class:"button quiet",onClick:()=>{e.action?.run(),t(void 0)},
children:e.action.label}),n(ge,{label:s.close,onClick:()=>t(void 0),children:n(fe,{})})]},e.id)})}var Ms=600;function Et({from:e,to:t}){return n("pre",{class:"diff",tabIndex:0,"aria-label":s.diff.title,children:Wc(e,t).
map((r,o)=>n("span",{class:`line ${r.kind}`,children:[n("span",{class:"unseen",children:s.diff.kinds[r.kind]}),r.pieces.
map((a,i)=>n("span",{class:a.kind,children:a.text},i)),`
`]},o))})}function Wc(e,t){let[r,o]=[e.split(`
`),t.split(`
`)];return r.length>Ms||o.length>Ms?[...r.map(a=>pr("removed",a)),...o.map(a=>pr("added",a))]:Nc(mr(r,o))}var pr=(e,t)=>({
kind:e,pieces:[{kind:"same",text:t}]});function Nc(e){let t=[];for(let r=0;r<e.length;r+=1){let o=$s(e,r,"removed"),a=$s(
e,r+o.length,"added");if(o.length>0&&o.length===a.length){for(let i=0;i<o.length;i+=1){let c=mr(nn(o[i]??""),nn(a[i]??""));
t.push({kind:"removed",pieces:c.filter(d=>d.kind!=="added")})}for(let i=0;i<o.length;i+=1){let c=mr(nn(o[i]??""),nn(a[i]??
""));t.push({kind:"added",pieces:c.filter(d=>d.kind!=="removed")})}r+=o.length+a.length-1}else{let i=e[r];t.push(pr(i.kind,
i.text))}}return t}function $s(e,t,r){let o=[];for(let a=t;e[a]?.kind===r;a+=1)o.push(e[a]?.text??"");return o}var nn=e=>e.
split(/(\s+|[.,;:{}[\]"()])/).filter(t=>t!=="");function mr(e,t){let r=t.length+1,o=new Uint16Array((e.length+1)*r);for(let d=e.
length-1;d>=0;d-=1)for(let l=t.length-1;l>=0;l-=1){let p=o[(d+1)*r+l],u=o[d*r+l+1],h=o[(d+1)*r+l+1];o[d*r+l]=e[d]===t[l]?
h+1:Math.max(p,u)}let a=[],[i,c]=[0,0];for(;i<e.length||c<t.length;)i<e.length&&c<t.length&&e[i]===t[c]?(a.push({kind:"s\
ame",text:e[i]}),i+=1,c+=1):c>=t.length||i<e.length&&o[(i+1)*r+c]>=o[i*r+c+1]?(a.push({kind:"removed",text:e[i]}),i+=1):
(a.push({kind:"added",text:t[c]}),c+=1);return a}function rn({base:e,theirs:t,mine:r,check:o,onClose:a,onTake:i}){let c=t?.text??"",[d,l]=f(r),p=o?.(d);return n(ve,{title:s.
conflict.title,onClose:a,children:[n("p",{children:t?s.conflict.changed(t.version):s.conflict.dropped}),n("div",{class:"\
three",children:[n("section",{children:[n("h3",{children:s.conflict.theirs}),n(Et,{from:e,to:c}),n(_,{onClick:()=>l(c),children:s.
conflict.useTheirs})]}),n("section",{children:[n("h3",{children:s.conflict.mine}),n(Et,{from:e,to:r}),n(_,{onClick:()=>l(
r),children:s.conflict.useMine})]})]}),n(N,{label:s.conflict.merged,hint:s.conflict.hint,fault:p,children:u=>n("textarea",
{...u,class:"code",rows:8,spellcheck:!1,value:d,onInput:h=>l(h.currentTarget.value)})}),n("footer",{children:[n(_,{onClick:a,
children:s.cancel}),n(_,{kind:"primary",disabledReason:p,onClick:()=>i(d),children:s.conflict.accept})]})]})}function As({workspace:e,memory:t,onDone:r}){let[o,a]=f({version:t.version,text:t.content}),[i,c]=f(t.content),[d,l]=f(),
[p,u]=f(),[h,g]=f(!1),m=async b=>{if(b.preventDefault(),!h){g(!0),u(void 0);try{let{data:v}=await ze(e.id,t.id,{content:i},
o.version);z(s.edit.saved(v.version)),pe(e.id),r()}catch(v){let S=O(v);S.problem.code==="version_conflict"?l(await qc(e.
id,t.id)):u(S),g(!1)}}},y=X(p,"content");return n("form",{class:"edit",onSubmit:b=>{m(b)},onKeyDown:b=>{b.key==="Enter"&&
(b.ctrlKey||b.metaKey)&&m(b)},children:[n(N,{label:s.write.content,hint:s.edit.hint,fault:y,children:b=>n("textarea",{...b,
rows:Math.min(16,3+Math.ceil(i.length/48)),required:!0,ref:Bc,value:i,onInput:v=>c(v.currentTarget.value)})}),p&&y===void 0&&
n("p",{class:"fault",role:"alert",children:J(p)}),n("footer",{children:[n(_,{onClick:r,children:s.cancel}),n(_,{kind:"pr\
imary",type:"submit",isBusy:h,children:s.edit.save})]}),d!==void 0&&n(rn,{base:o.text,theirs:d,mine:i,onClose:()=>l(void 0),
onTake:b=>{d&&a(d),c(b),l(void 0)}})]})}function Bc(e){e&&!e.dataset.seen&&(e.dataset.seen="1",e.focus())}async function qc(e,t){
try{let{data:r}=await F(w.memory(e,t));return{version:r.version,text:r.content}}catch(r){if(O(r).status===404)return null;
throw r}}async function Ls(e,t,r,o){try{await Is(e,t,r,o)}catch(a){z(J(O(a)))}}async function Is(e,t,r,o){let{data:a}=await ze(e.
id,t.id,r,t.version);pe(e.id);let i=async()=>{try{await ze(e.id,t.id,o,a.version),pe(e.id)}catch(c){z(J(O(c)))}};z(s.attributes.
saved,{label:s.attributes.undo,run:()=>{i()}})}function Os({workspace:e,memory:t,onDone:r}){let[o,a]=f(t.title??""),[i,c]=f(
t.tags.join(", ")),[d,l]=f(on),[p,u]=f(),h=async y=>{y.preventDefault();let b=i.split(",").map(k=>k.trim()).filter(Boolean),
v=d===on?{}:d===""?{expires_at:null}:{ttl_seconds:Number(d)},S={title:t.title??null,tags:t.tags,...d===on?{}:{expires_at:t.
expires_at??null}};try{await Is(e,t,{title:o.trim()||null,tags:b,...v},S),r()}catch(k){u(O(k))}},[g,m]=[X(p,"title"),X(p,
"tags")];return n("form",{class:"edit",onSubmit:y=>{h(y)},children:[n(N,{label:s.write.fields.tags,hint:s.attributes.tagsHint,
fault:m,children:y=>n("input",{...y,type:"text",autofocus:!0,value:i,onInput:b=>c(b.currentTarget.value)})}),n(N,{label:s.
write.fields.title,fault:g,children:y=>n("input",{...y,type:"text",value:o,onInput:b=>a(b.currentTarget.value)})}),n(N,{
label:s.write.expiry,children:({id:y})=>n(Y,{id:y,value:d,options:[[on,s.attributes.unchanged],...s.lifetimes],onChange:l})}),
p&&m===void 0&&g===void 0&&n("p",{class:"fault",role:"alert",children:J(p)}),n("footer",{children:[n(_,{onClick:r,children:s.
cancel}),n(_,{kind:"primary",type:"submit",children:s.attributes.save})]})]})}var on="kept";function Ds({workspace:e,memory:t,canEdit:r}){let[o,a]=f(!1);return n("details",{onToggle:i=>a(i.currentTarget.open),children:[
n("summary",{children:[n("h3",{children:s.history.title}),n("span",{class:"quiet",children:s.memory.version(t.version)})]}),
o&&n(Hc,{workspace:e,memory:t,canEdit:r})]})}function Hc({workspace:e,memory:t,canEdit:r}){let o=re(w.history(e.id,t.id)),
[a,i]=f({}),[c,d]=f();if(o.failure)return n(I,{failure:o.failure});let l=o.rows??[],p=l.find(m=>m.version===a.to)??l[0],
u=l.find(m=>m.version===a.from)??l[1],h=async m=>{try{let{data:y}=await po(e.id,t.id,m,t.version);z(s.history.restored(m,
y.version)),pe(e.id)}catch(y){d(O(y))}},g=l.map(m=>[String(m.version),s.history.option(m.version,pt(m.written_at))]);return n(
"div",{class:"history",children:[n("ol",{children:l.map(m=>n("li",{children:[n("span",{children:[s.history.version(m.version),
" ",n(j,{at:m.written_at}),m.current&&n("span",{class:"quiet",children:[" ",s.history.current]})]}),n("span",{class:"qui\
et",children:s.memory.sourceOf(m.source,m.role)}),r&&!m.current&&n(_,{kind:"quiet",onClick:()=>{h(m.version)},children:s.
history.restore(m.version)})]},m.version))}),o.hasMore&&n(_,{kind:"quiet",onClick:o.more,children:s.more}),c&&n("p",{class:"\
fault",role:"alert",children:J(c)}),u&&p&&n(R,{children:[n("div",{class:"compared",children:[n(Y,{label:s.history.from,value:String(
u.version),options:g,onChange:m=>i({...a,from:Number(m)})}),n("span",{"aria-hidden":"true",children:"→"}),n(Y,{label:s.
history.to,value:String(p.version),options:g,onChange:m=>i({...a,to:Number(m)})})]}),n(Et,{from:u.content,to:p.content})]})]})}var sn={data:void 0,failure:void 0,isLoading:!1},Uc={...sn,isLoading:!0},Fs=[1,2,5,10,30];function He(e,t){let[r,o]=f();
return P(()=>{if(e===void 0)return;let a=new AbortController,i,c=d=>{t(a.signal).then(({data:l})=>o({key:e,result:{...sn,
data:l}}),l=>{if(_e(l))return;let p=O(l);if(o({key:e,result:{...sn,failure:p}}),!p.isTransient||a.signal.aborted)return;
let u=p.retryAfter??Fs[Math.min(d,Fs.length-1)]??30;i=setTimeout(()=>c(d+1),u*1e3)})};return c(0),()=>{clearTimeout(i),a.
abort()}},[e]),e===void 0?sn:r?.key===e?r.result:Uc}function Ie({failure:e}){return e?n("p",{class:"fault",role:"alert",children:n("bdi",{children:J(e)})}):null}function oe({
title:e,size:t="wide",label:r,kind:o="danger",act:a,onClose:i,children:c}){let[d,l]=f(),[p,u]=f(!1),h=async y=>{if(y.preventDefault(),
!(p||r===void 0)){u(!0),l(void 0);try{await a()===!1?u(!1):i()}catch(b){l(O(b)),u(!1)}}},{shown:g,hasFieldError:m}=typeof c==
"function"?c(d):{shown:c,hasFieldError:!1};return n(ve,{title:e,size:t,onClose:i,children:n("form",{onSubmit:y=>{h(y)},children:[
g,!m&&n(Ie,{failure:d}),n("footer",{children:[n(_,{onClick:i,autofocus:!0,children:s.cancel}),r!==void 0&&n(_,{kind:o,type:"\
submit",isBusy:p,children:r})]})]})})}function an({count:e,children:t,redact:r,onClose:o}){let[a,i]=f(""),[c,d]=f(!1),l=async()=>{let p=a.trim();return d(p===
""),p===""?!1:r(p)};return n(oe,{title:s.redact.title(e),label:s.redact.do(e),act:l,onClose:o,children:p=>{let u=c&&a.trim()===
""?s.redact.missing:X(p,"reason");return{shown:n(R,{children:[t,n(N,{label:s.redact.reason,hint:s.redact.reasonHint,fault:u,
children:g=>n("input",{...g,type:"text",maxLength:500,value:a,onInput:m=>i(m.currentTarget.value)})})]}),hasFieldError:u!==
void 0}}})}var Ws=280,fr=4;function Ns({workspace:e,memory:t,onClose:r}){let o=He(t.id,c=>fo(e.id,t.id,c)),a=o.data?.readers??[];return n(
an,{count:1,redact:async c=>{await mo(e.id,t.id,{reason:c}),qs(e,s.redact.done(1))},onClose:r,children:[n(Hs,{memory:t}),
n("div",{class:"effects",children:[n("section",{children:[n("h3",{children:s.redact.deleted}),n("ul",{children:s.redact.
deletedParts(t.version-1).map(c=>n("li",{children:c},c))})]}),n("section",{children:[n("h3",{children:s.redact.retained}),
n("ul",{children:s.redact.retainedParts.map(c=>n("li",{children:c},c))})]})]}),n(Us,{workspace:e,memory:t}),o.data&&n("p",
{children:n("bdi",{children:s.redact.readers(a,o.data.runs?.length??0,o.data.readers_partial===!0)})})]})}function Bs({workspace:e,
memory:t,onClose:r}){let o=async()=>{await go(e.id,t.id),qs(e,s.deletion.done)};return n(oe,{title:s.deletion.title,label:s.
deletion.do,act:o,onClose:r,children:[n(Hs,{memory:t}),n("p",{children:s.deletion.what}),n(Us,{workspace:e,memory:t})]})}
function qs(e,t){z(t),pe(e.id),me()}function Hs({memory:e}){let t=e.content.length>Ws;return n("blockquote",{class:"firs\
t-lines",children:n(ae,{text:t?`${e.content.slice(0,Ws)}…`:e.content})})}function Us({workspace:e,memory:t}){let r=t.team===
void 0||t.team===null,o=M(r?w.reach(t.workspace_id):void 0);if(!o.data)return null;let a=o.data.read_by.filter(c=>c.scope===
t.scope&&c.via!=="self"),i=a.slice(0,a.length<=fr?fr:fr-1).map(c=>c.name);return n("p",{children:n("bdi",{children:s.redact.
affected(t.workspace_name,i,a.length,e.id===t.workspace_id)})})}function js({workspace:e,memory:t,query:r}){let o=M(w.relation(e.id,t.workspace_id)),a=o.data?.rows.find(i=>i.scope===t.
scope);return n("details",{open:!0,children:[n("summary",{children:n("h3",{children:s.visibility.title})}),o.failure&&n(
I,{failure:o.failure}),a&&n("p",{class:"sentence",children:n("bdi",{children:s.visibility.sentence(e.name,t.scope,t.workspace_name,
a.reads_reason)})}),r!==""&&n(jc,{workspace:e,memory:t,query:r}),t.team&&n("p",{class:"quiet",children:s.visibility.bound}),
n(Kc,{memory:t,workspace:e}),t.via!=="self"&&!Re&&n("p",{children:n(T,{to:`${C(e.id,"reach")}?with=${t.workspace_id}`,children:s.
visibility.compare(e.name,t.workspace_name)})})]})}function jc({workspace:e,memory:t,query:r}){let o=M(w.why(e.id,t.id,r)).
data;if(!o)return null;let{rank:a,found:i}=o,c=a!=null&&i!==void 0&&i!==null,d=new URLSearchParams({ask:t.id,q:r});return n(
"p",{children:n(T,{to:`${C(e.id,"reach")}?${d}`,children:n("bdi",{children:c?s.explain.rank(a,i,r):ue(o.reason)})})})}function Kc({
workspace:e,memory:t}){let r=t.team===void 0||t.team===null,o=M(r?w.reach(t.workspace_id):void 0);if(!o.data)return null;
let a=o.data.read_by.filter(c=>c.scope===t.scope&&c.workspace_id!==e.id);if(a.length===0)return n("p",{class:"quiet",children:s.
visibility.nobodyElse});let i=a.slice(0,12);return n(R,{children:[n("h4",{children:s.visibility.others(a.length)}),n("ul",
{class:"readers",children:[i.map(c=>n("li",{title:c.reason,children:n(T,{to:C(c.workspace_id),children:n("bdi",{children:c.
name})})},c.workspace_id)),a.length>i.length&&n("li",{children:n(T,{to:C(t.workspace_id,"reach"),children:s.visibility.more(
a.length-i.length)})})]})]})}var Vc=e=>e!==void 0&&"is_redacted"in e;function Ks({me:e,workspace:t,id:r,query:o,onClose:a}){let i=M(w.memory(t.id,r)),
c=L(null);P(()=>c.current?.focus({preventScroll:!0}),[]);let d=i.data!==void 0&&(i.failure===void 0||i.failure.isTransient),
[l,p]=Vc(i.data)?[void 0,i.data]:[i.data,void 0];return n("aside",{class:"drawer",ref:c,tabIndex:-1,"aria-label":s.memory.
title,children:[n("header",{children:[n("h2",{children:s.memory.title}),l&&!i.failure&&n(Je,{text:l.content,label:s.memory.
copy}),n(ge,{label:s.close,onClick:a,children:n(fe,{})})]}),n(Ge,{isOutdated:i.isOutdated&&!i.failure,reload:()=>ye(w.memory(
t.id,r))}),(i.failure&&!d||p)&&n(Ps,{workspace:t,id:r,failure:i.failure,redactedAt:p?.redacted_at}),!i.data&&!i.failure&&
n(U,{rows:4}),l&&d&&n(zc,{me:e,workspace:t,memory:l,query:o})]})}function zc({me:e,workspace:t,memory:r,query:o}){let[a,
i]=f(),c=()=>i(void 0),{can:d}=r,l=d?.edit===!0;return be({e:()=>l&&a===void 0?i("edit"):!1,r:()=>d?.redact===!0&&a===void 0?
i("redact"):!1}),n("div",{class:"drawer-body",children:[n("p",{class:"drawer-facts",children:[n(ke,{scope:r.scope}),r.pin&&
n("span",{class:"pinned",children:[n(Jt,{}),s.memory.pinned]}),n("span",{class:"fact",children:r.kind}),n("span",{class:"\
fact",children:r.namespace}),n("span",{class:"fact",children:s.memory.confidenceOf(r.confidence)})]}),a==="edit"?n(As,{workspace:t,
memory:r,onDone:c}):n(R,{children:[r.title&&n("h3",{children:n(ae,{text:r.title,query:o})}),n("p",{class:"content",children:n(
ae,{text:r.content,query:o})}),n(Gc,{me:e,workspace:t,memory:r,begin:i})]}),a==="file"&&n(Os,{workspace:t,memory:r,onDone:c}),
a==="redact"&&n(Ns,{workspace:t,memory:r,onClose:c}),a==="forget"&&n(Bs,{workspace:t,memory:r,onClose:c}),r.tags.length>
0&&n("ul",{class:"tags","aria-label":s.memory.tags,children:r.tags.map(p=>n("li",{children:n(T,{to:`${C(t.id)}?tag=${encodeURIComponent(
p)}`,children:n("bdi",{children:["#",p]})})},p))}),n(js,{workspace:t,memory:r,query:o}),n(Jc,{workspace:t,memory:r}),n(Ds,
{workspace:t,memory:r,canEdit:l}),G(e,"read_access_log")&&n(en,{workspace:t,id:r.id}),n(Yc,{workspace:t,memory:r})]})}function Gc({
me:e,workspace:t,memory:r,begin:o}){let{can:a}=r;if(!a)return null;let i=a.why_not??{},c=new Set,d=(h,g,m)=>G(e,h)?(!g&&
m&&c.add(m),g):!1,l=d("write_memories",a.edit,i.edit),p=d("redact_memories",a.redact,i.redact),u=d("forget_memories",a.delete,
i.delete);return!l&&!p&&!u&&c.size===0?null:n("div",{class:"actions",children:[l&&n(_,{onClick:()=>o("edit"),children:s.
edit.do}),l&&n(_,{onClick:()=>{Ls(t,r,{pin:!r.pin},{pin:r.pin})},children:r.pin?s.attributes.unpin:s.attributes.pin}),l&&
n(_,{onClick:()=>o("file"),children:s.attributes.do}),p&&n(_,{onClick:()=>o("redact"),children:s.redact.ask}),u&&n(_,{onClick:()=>o(
"forget"),children:s.deletion.ask}),[...c].map(h=>n("p",{class:"quiet",children:n("bdi",{children:ue(h)})},h))]})}function Jc({
workspace:e,memory:t}){let r=[[s.memory.author,n(T,{to:C(t.workspace_id),children:n("bdi",{children:t.workspace_name})})],
[s.memory.source,s.memory.sourceOf(t.source,t.role)],[s.memory.written,n(j,{at:t.created_at})]];return t.version>1&&r.push(
[s.memory.changed,n(R,{children:[s.memory.version(t.version),", ",n(j,{at:t.updated_at})]})]),t.expires_at&&r.push([s.memory.
expires,n(j,{at:t.expires_at})]),t.subject&&r.push([s.memory.subject,n(hr,{workspace:e,name:"subject",value:t.subject})]),
t.session_id&&r.push([s.memory.session,n(hr,{workspace:e,name:"session_id",value:t.session_id})]),t.run_id&&r.push([s.memory.
run,n(hr,{workspace:e,name:"run_id",value:t.run_id})]),t.supersedes&&r.push([s.memory.supersedes,n(T,{to:ie({m:t.supersedes}),
children:t.supersedes})]),n("details",{open:!0,children:[n("summary",{children:n("h3",{children:s.memory.provenance})}),
n("dl",{class:"facts-list",children:r.map(([o,a])=>n("div",{children:[n("dt",{children:o}),n("dd",{children:a})]},o))})]})}
function hr({workspace:e,name:t,value:r}){return n(T,{to:`${C(e.id)}?${t}=${encodeURIComponent(r)}`,children:n("bdi",{children:r})})}
function Yc({workspace:e,memory:t}){let r=new URL(w.memory(e.id,t.id).slice(1),new URL("..",document.baseURI)).href;return n(
"details",{children:[n("summary",{children:n("h3",{children:s.memory.rawData})}),n("p",{children:n($e,{id:t.id})}),n(he,
{text:JSON.stringify(t,null,2),label:s.memory.json}),n(he,{text:`curl -H "Authorization: Bearer $ORGMEM_TOKEN" ${r}`,label:s.
memory.curl})]})}var Qc=150,mt=800;function ft(e,t=Qc){return st(e,t).settled}function st(e,t){let[r,o]=f(e);return P(()=>{if(e===r)return;
let a=setTimeout(()=>o(e),t);return()=>clearTimeout(a)},[e,r,t]),{settled:r,settle:()=>o(e)}}function cn(){let{query:e}=ee(),t=e.get("q")??"",[r,o]=f(t),{settled:a,settle:i}=st(r.trim(),mt),c=r.trim()===""?"":a,d=L(
t);return P(()=>{d.current!==c&&(d.current=c,A({q:c},{replace:!0}))},[c]),P(()=>{d.current!==t&&(d.current=t,o(t))},[t]),
{text:r,setText:o,typed:c,onKeyDown:({key:p})=>{p==="Enter"&&i()}}}var Xc=new Set;function Vs({workspace:e,path:t,isNarrowed:r,rows:o}){let[a,i]=f(),[c,d]=f(Xc),l=L(o);return l.current=o,
P(()=>{i(void 0);let p=new AbortController,u=async g=>{let m=await Zc(e,g,p.signal),y=new Set(l.current?.map(v=>v.id)),b=m.
filter(({id:v})=>v===void 0||!y.has(v)).reduce((v,S)=>v+S.count,0);b===0||p.signal.aborted||i(v=>({count:r?void 0:(v?.count??
0)+b}))},h=is(({committed:g,removed:m})=>{m.size>0&&d(y=>new Set([...y,...m])),g.length>0&&u(g).catch(y=>_e(y))});return()=>{
h(),p.abort()}},[e,t,r]),P(()=>i(void 0),[o]),{news:a,gone:c,apply:()=>ye(t)}}async function Zc(e,t,r){if(t.every(({author:i})=>i===
e))return t;let{data:o}=await F(w.reach(e),{signal:r}),a=new Set(o.reads.map(i=>`${i.workspace_id} ${i.scope}`));return t.
filter(({author:i,scope:c})=>i===e||a.has(`${i} ${c}`))}var gr=5;function Gs({workspace:e,memories:t,can:r,isRedacting:o,redact:a,select:i}){let[c,d]=f(!1);return n("div",{class:"\
bulk",role:"group","aria-label":s.redact.selected(t.length),children:[n("span",{role:"status",children:s.redact.selected(
t.length)}),n(_,{kind:"quiet",onClick:()=>i(new Set),children:s.redact.clearSelection}),r.tag&&n(_,{onClick:()=>d(!0),children:s.
tagging.ask}),r.redact&&n(_,{onClick:()=>a(!0),children:s.redact.ask}),c&&n(td,{workspace:e,memories:t,onClose:()=>d(!1),
select:i}),o&&n(ed,{workspace:e,memories:t,onClose:()=>a(!1),select:i})]})}function ed({workspace:e,memories:t,onClose:r,
select:o}){let[a,i]=f([]),c=async d=>{let l=t.map(h=>h.id),{data:p}=await ho(e.id,{memories:l,reason:d}),u=p.items.flatMap(
(h,g)=>nd(h,t[g]));return o(new Set(u.map(({memory:h})=>h.id))),i(u),p.redacted>0&&z(s.redact.done(p.redacted)),pe(e.id),
me(),u.length===0};return n(an,{count:t.length,redact:c,onClose:r,children:[n(Js,{memories:t}),n("p",{children:s.redact.
many(t.length)}),n(Ys,{refused:a})]})}function td({workspace:e,memories:t,onClose:r,select:o}){let[a,i]=f(""),[c,d]=f(""),
[l,p]=f([]),[u,h]=[zs(a),zs(c)],g=async()=>{let S=[],k=[];for(let x of t){let B=[...new Set([...x.tags,...u])].filter($=>!h.
includes($));try{let{data:$}=await ze(e.id,x.id,{tags:B},x.version);S.push({memory:x,version:$.version})}catch($){let H=O(
$);if(H.isTransient)throw H;k.push({memory:x,why:H.message})}}let q=async()=>{let x=S.map(({memory:$,version:H})=>ze(e.id,
$.id,{tags:$.tags},H)),B=(await Promise.allSettled(x)).find($=>$.status==="rejected");B&&z(J(O(B.reason))),pe(e.id)};return o(
new Set(k.map(({memory:x})=>x.id))),p(k),S.length>0&&z(s.tagging.done(S.length),{label:s.attributes.undo,run:()=>{q()}}),
pe(e.id),k.length===0},m=u.length>0||h.length>0,{title:y,add:b,remove:v}=s.tagging;return n(oe,{title:y(t.length),kind:"\
primary",label:m?s.tagging.do(t.length):void 0,act:g,onClose:r,children:[n(Js,{memories:t}),n("div",{class:"columns",children:[
n(N,{label:b,hint:s.attributes.tagsHint,children:S=>n("input",{...S,type:"text",value:a,onInput:k=>i(k.currentTarget.value)})}),
n(N,{label:v,hint:s.attributes.tagsHint,children:S=>n("input",{...S,type:"text",value:c,onInput:k=>d(k.currentTarget.value)})})]}),
n(Ys,{refused:l})]})}var zs=e=>e.split(",").map(t=>t.trim()).filter(Boolean);function Js({memories:e}){return n("ul",{class:"\
first-lines many",children:[e.slice(0,gr).map(t=>n("li",{children:n(ae,{text:t.content.slice(0,120)})},t.id)),e.length>gr&&
n("li",{class:"quiet",children:s.access.more(e.length-gr)})]})}function Ys({refused:e}){return e.length===0?null:n("div",
{class:"notice",role:"alert",children:[n("p",{children:s.redact.refused(e.length)}),n("ul",{children:e.map(({memory:t,why:r})=>n(
"li",{children:[n("bdi",{children:t.content.slice(0,60)})," – ",n("bdi",{children:ue(r)})]},t.id))})]})}function nd(e,t){
return t&&"refused"in e?[{memory:t,why:e.refused.detail}]:[]}var Qe=["namespace","kind","source","tag","author","subject","session_id","run_id","since","until","min_confidence","pin\
ned"],yr=["agent","user","tool","eval","manual","runtime","processor"],Ue=["LOCAL","TEAM","GLOBAL"],ht=e=>e.get("eyes")===
"agent";function Qs(e,t){let o=[...Qe,"scope","mode","order"].map(c=>[c,e.get(c)??void 0]),a=ht(e)?"true":void 0,i=t===""?
void 0:a;return{...Object.fromEntries(o),q:t===""?void 0:t,quoted:a,explain:i}}function dn(e,t){return Qe.map(o=>[o,e.get(
o)]).flatMap(([o,a])=>a===null?[]:[[o,rd(o,a,t)]])}function rd(e,t,r){switch(e){case"author":return s.filters.sentences.
author(r(t));case"since":case"until":return s.filters.sentences[e](pt(t));default:return s.filters.sentences[e](t)}}function Xs(e,t){
let r=t.trim();if(e!=="since"&&e!=="until")return r===""?void 0:r;let o=new Date(r);return Number.isNaN(o.getTime())?void 0:
o.toISOString()}var od={mode:"semantic",limit:1,profile_id:"00000000-0000-0000-0000-000000000000"};function Zs({workspace:e}){let{query:t}=ee(),
r=t.get("mode")??"",[o,a]=f(r!==""),{failure:i}=M(o?w.memories(e,od):void 0),c=i?.problem.code==="not_configured"?J(i):void 0,
{title:d,keyword:l,semantic:p}=s.modes;return n("select",{"aria-label":d,title:c??d,value:r,onPointerEnter:()=>a(!0),onFocus:()=>a(
!0),onChange:u=>A({mode:u.currentTarget.value},{replace:!0}),children:[l.map(([u,h])=>n("option",{value:u,selected:u===r,
children:h},u)),n("optgroup",{label:c??s.modes.withEmbedder,disabled:c!==void 0,children:p.map(([u,h])=>n("option",{value:u,
selected:u===r,children:h},u))})]})}var sd="[data-row]";function le(e,t,r=()=>{}){let o=[...e?.querySelectorAll(sd)??[]],a=o.findIndex(l=>l===document.activeElement||
l.classList.contains("open")),i=o.findIndex(l=>l===document.activeElement),c=i>=0?i:a,d=o[c<0?0:c+t];if(!d)return t>0?r():
void 0;d.focus(),d.scrollIntoView({block:"nearest"})}function Xe(e,t){t!==void 0&&e?.querySelector(`[data-row="${CSS.escape(
t)}"]`)?.focus()}function gt(e){return t=>{t.key==="ArrowDown"&&(t.preventDefault(),e())}}function ei({workspace:e,text:t,typed:r,onText:o,onKeyDown:a,field:i,onDown:c,nameOf:d,canWrite:l,canViewAsAgent:p,countPath:u}){
let{query:h}=ee(),g=h.get("scope")??void 0,m=dn(h,d),[y,b]=f(),S=y===r||r===""&&(m.length>0||g!==void 0);return n("div",
{class:"filter-bar",children:[n("div",{class:"filter-line",children:[n("div",{class:`search ${t===""?"":"with-mode"}`,children:[
n("label",{children:[n(Me,{}),n("input",{ref:i,type:"search",placeholder:s.memories.search,"aria-label":s.memories.search,
spellcheck:!1,value:t,onInput:k=>o(k.currentTarget.value),onKeyDown:k=>{a(k),gt(c)(k)}})]}),t!==""&&n(Zs,{workspace:e})]}),
n("div",{class:"segments scopes",role:"group","aria-label":s.memories.scope,onPointerEnter:()=>b(r),onFocusCapture:()=>b(
r),children:[void 0,...Ue].map(k=>n(id,{scope:k,current:g,countPath:S||k===void 0&&r===""?u(k):void 0},k??""))}),n(Y,{label:s.
memories.order,value:h.get("order")??"",options:t===""?s.memories.listOrders:s.memories.searchOrders,onChange:k=>A({order:k},
{replace:!0})}),n(ad,{}),p&&n("button",{type:"button",class:"button","aria-pressed":ht(h),title:s.agentView.hint,onClick:()=>A(
{eyes:ht(h)?void 0:"agent"},{replace:!0}),children:s.agentView.do}),l&&n(_,{kind:"primary",class:"write",onClick:()=>A({
write:"1"}),children:[n(Pt,{}),s.write.do]})]}),m.length>0&&n("ul",{class:"chips","aria-label":s.filters.title,children:m.
map(([k,q])=>n("li",{children:n(Yt,{onRemove:()=>A({[k]:void 0},{replace:!0}),children:n("bdi",{children:q})})},k))})]})}
function id({scope:e,current:t,countPath:r}){let o=M(r).data?.count;return n("button",{type:"button",class:e?`as-scope ${e.
toLowerCase()}`:"","aria-pressed":e===t,onClick:()=>A({scope:e},{replace:!0}),children:[e&&n(De,{scope:e}),e??s.memories.
allScopes,n("span",{class:"segment-count",children:o??""})]})}function ad(){let e=L(null),t=L(null),[r,o]=f("namespace"),
[a,i]=f(""),[c,d]=f(),l=p=>{p.preventDefault();let u=Xs(r,a===""?cd[r]??"":a);if(u===void 0)return d(s.filters.missing);
A({[r]:u},{replace:!0}),i(""),d(void 0),e.current?.hidePopover()};return n(R,{children:[n("button",{type:"button",class:"\
button",popovertarget:"add-filter",ref:t,children:[n(Pt,{}),s.filters.add]}),n("div",{id:"add-filter",class:"menu",popover:"\
auto",ref:e,onBeforeToggle:()=>dd(e.current,t.current),children:n("form",{onSubmit:l,children:[n(N,{label:s.filters.which,
children:({id:p})=>n(Y,{id:p,value:r,options:Qe.map(u=>[u,s.filters.names[u]]),onChange:u=>{o(u),i(""),d(void 0)}})}),n(
N,{label:s.filters.value,hint:s.filters.hints[r],fault:c,children:p=>n(ld,{attributes:p,name:r,value:a,onChange:i})}),n(
_,{kind:"primary",type:"submit",children:s.filters.add})]})})]})}var cd={source:yr[0],pinned:"true"};function dd(e,t){let r=t?.
getBoundingClientRect();!e||!r||(e.style.top=`${r.bottom+4}px`,e.style.left=`${Math.max(8,Math.min(r.left,innerWidth-288))}\
px`)}function ld({attributes:e,name:t,value:r,onChange:o}){if(t==="source")return n(Y,{...e,value:r,options:yr.map(i=>[i,
i]),onChange:o});if(t==="pinned")return n(Y,{...e,value:r,options:s.filters.pinned,onChange:o});let a={...e,value:r,onInput:i=>o(
i.currentTarget.value)};return t==="since"||t==="until"?n("input",{...a,type:"datetime-local"}):t==="min_confidence"?n("\
input",{...a,type:"number",min:0,max:1,step:.05}):n("input",{...a,type:"text",spellcheck:!1})}function ti({score:e,parts:t}){return n("details",{class:"score",children:[n("summary",{children:s.score.of(e)}),n(br,{parts:t})]})}
function ln({value:e}){return n("span",{title:s.score.similarityHint,children:s.score.similarity(e)})}function br({parts:e}){
return e.length===0?null:n("table",{class:"score-parts","aria-label":s.score.parts,children:n("tbody",{children:e.map(({
part:t,value:r})=>n("tr",{children:[n("th",{scope:"row",children:s.score.names[t]}),n("td",{class:"number",children:r.toFixed(
3)})]},t))})})}function ni({memory:e,place:t,isOpen:r}){let{score:o,via:a,explanation:i,similarity_score:c}=e;return n("li",{children:[
n(T,{to:ie({m:e.id}),class:`memory ${r?"open":""}`,"aria-current":r?"page":void 0,"data-row":e.id,children:[n("span",{class:"\
place",children:t}),n("span",{class:"agent-text",children:n("bdi",{children:e.content})})]}),n("p",{class:"memory-facts",
children:[n(ke,{scope:e.scope}),n("span",{children:s.agentView.via[a]}),n(Je,{text:e.content,label:s.agentView.copy}),c!=
null&&n(ln,{value:c}),o!=null&&n(ti,{score:o,parts:i?.parts??[]})]})]})}var ud=400;function ri({memory:e,query:t,isOpen:r,isSelected:o,onSelect:a}){let i=qe(),c=e.via==="self"?void 0:e.workspace_name,
d=[e.kind,e.namespace,...e.tags.slice(0,3).map(l=>`#${l}`)];return n("li",{class:o?"selected":"",children:[a&&n("input",
{type:"checkbox",class:"select-row",tabIndex:-1,"aria-label":s.memories.select,checked:o,onChange:a}),n(T,{to:ie({m:e.id}),
class:`memory ${r?"open":""}`,"aria-current":r?"page":void 0,"data-row":e.id,children:[n("span",{class:"memory-text",children:[
e.title&&n("strong",{children:[n(ae,{text:e.title,query:t})," "]}),n(ae,{text:e.content.slice(0,ud),query:t})]}),n("span",
{class:"memory-facts",children:[n(ke,{scope:e.scope,of:c}),e.pin&&n("span",{class:"pinned",children:[n(Jt,{}),s.memory.pinned]}),
d.map((l,p)=>n("span",{class:"fact",children:n("bdi",{children:l})},`${p} ${l}`)),e.similarity_score!==void 0&&e.similarity_score!==
null&&n(ln,{value:e.similarity_score}),e.expires_at&&n("span",{class:"expires",children:s.memory.expiresIn(ut(i,Date.parse(
e.expires_at)))})]}),n("span",{class:"memory-side",children:[n(j,{at:e.created_at,brief:!0}),n("span",{class:"confidence",
title:s.memory.confidence,children:e.confidence.toFixed(2)})]})]})]})}function si(e,t){let r=e.read_by.filter(i=>i.scope===t&&i.via!=="self");if(r.length===0)return s.audience.none;let o=i=>r.
filter(c=>c.via===i);if(o("org").length>0)return s.audience.org(r.length);let a=[...o("child").map(i=>s.audience.parent(
i.name)),oi(o("sibling"),s.audience.siblings),oi(o("parent"),s.audience.children)];return s.audience.list(a.filter(Boolean))}
function oi(e,t){return e.length>2?t(e.length):e.map(r=>r.name).join(", ")}var pd=["content","title","scope","namespace","kind","confidence","tags","ttl_seconds"];function ii({workspace:e,onClose:t}){
let[r,o]=f(""),[a,i]=f("LOCAL"),[c,d]=f(""),[l,p]=f(""),[u,h]=f(""),[g,m]=f(""),[y,b]=f(""),[v,S]=f(""),[k,q]=f(),[x,B]=f(
!1),$=async K=>{if(K.preventDefault(),x)return;B(!0);let V={content:r,scope:a,tags:g.split(",").map(ne=>ne.trim()).filter(
Boolean),...c.trim()===""?{}:{title:c.trim()},...l.trim()===""?{}:{namespace:l.trim()},...u.trim()===""?{}:{kind:u.trim()},
...y===""?{}:{confidence:Number(y)},...v===""?{}:{ttl_seconds:Number(v)}};try{let{data:ne}=await uo(e.id,V);z(fd(ne)),pe(
e.id),me(),A({write:void 0,m:ne.id})}catch(ne){q(O(ne)),B(!1)}},H=k&&!pd.some(K=>X(k,K)!==void 0);return n(ve,{title:s.write.
title(e.name),onClose:t,children:n("form",{onSubmit:K=>{$(K)},onKeyDown:K=>{K.key==="Enter"&&(K.ctrlKey||K.metaKey)&&$(K)},
children:[n(N,{label:s.write.content,fault:X(k,"content"),children:K=>n("textarea",{...K,rows:6,autofocus:!0,required:!0,
value:r,onInput:V=>o(V.currentTarget.value)})}),n(md,{workspace:e,value:a,onChange:i}),n("div",{class:"columns",children:[
n(un,{name:"title",value:c,onChange:d,failure:k,placeholder:s.write.titleExample}),n(un,{name:"namespace",value:l,onChange:p,
failure:k,placeholder:"general"}),n(un,{name:"kind",value:u,onChange:h,failure:k,placeholder:"fact"}),n(un,{name:"tags",
value:g,onChange:m,failure:k,placeholder:s.write.tagsExample}),n(N,{label:s.write.fields.confidence,fault:X(k,"confidenc\
e"),children:K=>n("input",{...K,type:"number",min:0,max:1,step:.05,placeholder:"0.5",value:y,onInput:V=>b(V.currentTarget.
value)})}),n(N,{label:s.write.expiry,fault:X(k,"ttl_seconds"),children:({id:K})=>n(Y,{id:K,value:v,options:s.lifetimes,onChange:S})})]}),
H&&n("p",{class:"fault",role:"alert",children:J(k)}),n("footer",{children:[n(_,{onClick:t,children:s.cancel}),n(_,{kind:"\
primary",type:"submit",isBusy:x,children:s.write.do})]})]})})}function un({name:e,value:t,onChange:r,failure:o,placeholder:a}){
return n(N,{label:s.write.fields[e],fault:X(o,e),children:i=>n("input",{...i,type:"text",placeholder:a,value:t,onInput:c=>r(
c.currentTarget.value)})})}function md({workspace:e,value:t,onChange:r}){let o=M(w.reach(e.id)).data,a=M(w.relation(e.id,
e.id)).data;return n("fieldset",{class:"scope-choice",children:[n("legend",{children:s.write.scope}),Ue.map(i=>{let c=a?.
rows.find(l=>l.scope===i),d=c?.read_by===!1;return n("label",{class:`choice ${i.toLowerCase()} ${d?"refused-choice":""}`,
children:[n("input",{type:"radio",name:"scope",checked:t===i,disabled:d,onChange:()=>r(i)}),n("span",{class:`scope ${i.toLowerCase()}`,
children:[n(De,{scope:i}),i]}),n("span",{class:"choice-text",children:n("bdi",{children:d?c.read_by_reason:o?si(o,i):""})})]},
i)})]})}function fd(e){let t=e.redactions.map(r=>s.write.replaced(r.count,r.kind));return t.length===0?s.write.saved:`${s.
write.saved} ${s.write.scrubbed(t.join(", "))}`}function pn({me:e,workspace:t}){let{query:r}=ee(),o=L(null),a=L(null),{text:i,setText:c,typed:d,onKeyDown:l}=cn(),p=Qs(r,
d),u=w.memories(t.id,p),h=re(u),g=d!==""||r.has("scope")||Qe.some(E=>r.has(E)),m=Vs({workspace:t.id,path:u,isNarrowed:g,
rows:h.isStale?void 0:h.rows}),y=h.rows?.filter(E=>!m.gone.has(E.id)),[b,v]=f(wr),[S,k]=f(!1),q=G(e,"redact_memories"),x=G(
e,"write_memories"),B=ht(r),$=L(B);h.isStale||($.current=B);let H=(q||x)&&!B;P(()=>v(wr),[t.id,u]);let K=E=>{let Ce=document.
activeElement?.dataset.row??V;return!H||Ce===void 0||!y?.some(wt=>wt.id===Ce)?!1:v(E?hd(y,b,Ce):ai(b,Ce))},V=r.get("m")??
void 0,ne=()=>{A({m:void 0}),Xe(o.current,V)};be({x:()=>K(!1),"Shift+x":()=>K(!0),".":()=>m.news?m.apply():!1,r:()=>b.size>
0&&q?k(!0):!1,"/":()=>a.current?.select(),j:()=>le(o.current,1,h.more),ArrowDown:()=>le(o.current,1,h.more),k:()=>le(o.current,
-1),ArrowUp:()=>le(o.current,-1),o:()=>document.activeElement?.click(),w:()=>x?A({write:"1"}):!1,y:()=>V===void 0?!1:void ar(
V),Escape:()=>{if(V!==void 0)return ne();if(b.size>0)return v(wr);if(i===""&&!Qe.some(E=>r.has(E)))return!1;c(""),A(bd(),
{replace:!0})}});let Ae=new Map(y?.map(E=>[E.workspace_id,E.workspace_name])),D=E=>E===t.id?t.name:Ae.get(E)??E;return n(
"div",{class:`with-drawer ${V===void 0?"":"drawn"}`,children:[n("section",{class:"list","aria-label":s.tabs.memories,children:[
n("div",{class:"list-head",children:n(ei,{workspace:t.id,text:i,typed:d,onText:c,onKeyDown:l,field:a,onDown:()=>le(o.current,
1),canViewAsAgent:e.role!=="agent",nameOf:D,canWrite:x,countPath:E=>y?ci(t.id,{...p,scope:E}):void 0})}),b.size>0&&n(Gs,
{workspace:t,memories:y?.filter(E=>b.has(E.id))??[],can:{redact:q,tag:x},isRedacting:S,redact:k,select:v}),m.news&&n("bu\
tton",{type:"button",class:"arrivals",onClick:m.apply,children:[s.live.arrived(m.news.count)," ",n("kbd",{children:"."})]}),
n("span",{class:"unseen",role:"status",children:m.news?s.live.announced(m.news.count):""}),n("div",{class:`rows ${h.isStale?
"stale":""}`,"aria-busy":h.isLoading,children:[n("span",{class:"unseen",role:"status",children:y&&!h.isLoading&&d!==""?s.
memories.shown(y.length,h.hasMore):""}),h.failure&&n(I,{failure:h.failure}),!y&&!h.failure&&n(U,{}),y?.length===0&&!h.isStale&&
n(gd,{workspace:t,nameOf:D,canWrite:x,wanted:p}),y&&y.length>0&&n("ul",{class:`memories ${b.size>0?"selecting":""} ${$.current?
"agent-list":""}`,ref:o,children:y.map((E,Ce)=>$.current?n(ni,{memory:E,place:Ce+1,isOpen:E.id===V},E.id):n(ri,{memory:E,
query:d,isOpen:E.id===V,isSelected:b.has(E.id),onSelect:H?()=>v(ai(b,E.id)):void 0},E.id))}),y&&y.length>0&&d!==""&&!h.isStale&&
!Re&&n("p",{class:"quiet missing",children:n(T,{to:`${C(t.id,"reach")}?${new URLSearchParams({ask:"",q:d})}`,children:s.
explain.missing})}),h.hasMore&&n(_,{kind:"quiet",class:"more",isBusy:h.isLoading,onClick:h.more,children:s.more})]})]}),
V!==void 0&&n(Ks,{me:e,workspace:t,id:V,query:d,onClose:ne},V),r.has("write")&&x&&n(ii,{workspace:t,onClose:()=>A({write:void 0})})]})}
var wr=new Set;function ai(e,t){let r=new Set(e);return r.delete(t)||r.add(t),r}function hd(e,t,r){let o=e.map(d=>d.id),
a=[...t].at(-1),[i,c]=[a===void 0?o.indexOf(r):o.indexOf(a),o.indexOf(r)];return new Set([...t,...o.slice(Math.min(i,c),
Math.max(i,c)+1)])}function ci(e,{order:t,quoted:r,explain:o,...a}){return w.count(e,a)}function gd({workspace:e,nameOf:t,
canWrite:r,wanted:o}){let{query:a}=ee(),i=dn(a,t);if(!(i.length>0||a.has("q")||a.has("scope")))return n(te,{title:s.memories.
none(e.name),children:[n("p",{children:s.memories.how}),n(he,{text:'commit_memory({ "content": "…", "scope": "TEAM" })',
label:s.memories.how}),r&&n(_,{onClick:()=>A({write:"1"}),children:s.write.do})]});let d=a.get("scope"),l=a.get("q"),p=[
...d===null?[]:[["scope",d]],...i,...l===null?[]:[["q",`“${l}”`]]];return n(te,{title:s.memories.nothingMatches,children:n(
"ul",{class:"remove-filters",children:p.map(([u,h])=>n("li",{children:n(yd,{workspace:e,wanted:o,name:u,sentence:h})},u))})})}
function yd({workspace:e,wanted:t,name:r,sentence:o}){let a=M(ci(e.id,{...t,[r]:void 0})).data?.count;return n(_,{onClick:()=>A(
{[r]:void 0}),children:[s.filters.without(o),n("span",{class:"number",children:a??s.unknown})]})}function bd(){return Object.
fromEntries([...Qe,"q","scope"].map(e=>[e,void 0]))}function di(){let{screen:e}=ee(),t=e.name==="workspace"?e.id:"";return Se(s.tabs.memories),parent===window?n(vd,{id:t}):
n(R,{children:[n(kd,{}),n(wd,{id:t}),n(tn,{})]})}function wd({id:e}){let t=M(w.me),r=M(w.workspace(e)),o=er(r.data&&w.events(
e,jt)),a=t.failure??r.failure,i=t.data!==void 0&&r.data!==void 0;return n("main",{id:"main",class:"work of-list embedded",
tabIndex:-1,children:[n("h1",{class:i?"unseen":"",children:n("bdi",{children:r.data?s.embed.title(r.data.name):s.tabs.memories})}),
o==="waiting"&&n(tr,{state:o}),!i&&a&&n(I,{failure:a}),!i&&!a&&n(U,{}),t.data&&r.data&&n(pn,{me:t.data,workspace:r.data})]})}
function kd(){let[,e]=f(0),t=L(null);P(()=>nt.listen(()=>{nt.hasToken&&Ht(),e(a=>a+1)}),[]);let{hasToken:r,rejection:o}=nt;
return P(()=>{t.current?.togglePopover(o!==void 0)},[o]),n(R,{children:[n("p",{class:"token-notice",role:"alert",popover:"\
manual",ref:t,children:o!==void 0&&n("bdi",{children:s.embed.ended(ue(o))})}),!r&&o===void 0&&n("p",{class:"token-notice\
-first",children:s.embed.waiting})]})}function vd({id:e}){return n("main",{id:"main",class:"alone",children:[n("img",{src:"\
icon.svg",alt:"",width:"40",height:"40"}),n("h1",{children:s.embed.direct}),n("p",{children:s.embed.how}),vt?.length===0&&
n("p",{class:"notice",children:s.embed.noOrigins}),n("p",{children:n("a",{href:new URL(`w/${e}/memories`,tt).href,children:s.
embed.inConsole})})]})}function li({me:e}){Se(s.access.audit);let t=e.workspace_id??void 0,r=M(t===void 0?w.orgs:void 0),o=r.data?.orgs,a=t??(o?.
length===1?o[0]?.org_id:void 0);return P(()=>{a!==void 0&&Q(C(a,"access"),{replace:!0})},[a]),n("main",{id:"main",class:"\
work",tabIndex:-1,children:[n("h1",{children:s.access.audit}),r.failure&&n(I,{failure:r.failure}),!o&&!r.failure&&n(U,{rows:3,
height:32}),o&&o.length!==1&&n(R,{children:[n("p",{children:s.access.which}),n("ul",{class:"orgs",children:o.map(i=>n("l\
i",{children:n(T,{to:C(i.org_id,"access"),children:n("bdi",{children:i.name})})},i.org_id))})]})]})}var _d="application/yaml";function ui({onClose:e}){let[t,r]=f(""),[o,a]=f(),i=g=>{r(g),a(void 0)},c=async()=>{let{data:g}=await Hn(
t,_d,o===void 0);return o!==void 0?mi(g):(a(g),!1)},{title:d,preview:l,text:p,file:u,hint:h}=s.import;return n(oe,{title:d,
kind:"primary",label:t.trim()===""?void 0:o?s.import.do(o.workspaces_created):l,act:c,onClose:e,children:[n(N,{label:u,children:g=>n(
"input",{...g,type:"file",accept:".yaml,.yml,.json",onChange:m=>{m.currentTarget.files?.[0]?.text().then(i)}})}),n(N,{label:p,
hint:h,children:g=>n("textarea",{...g,class:"code",rows:10,spellcheck:!1,placeholder:s.import.example,value:t,onInput:m=>i(
m.currentTarget.value)})}),o&&n(xd,{answer:o})]})}function xd({answer:e}){let t=[[s.system.workspaces,e.workspaces_created,
e.workspaces_kept],[s.system.memories,e.memories_committed,e.memories_kept],[s.system.entries,e.entries_put,void 0],[s.system.
episodes,e.episodes_appended,void 0]];return n("table",{class:"table import-preview",role:"status","aria-label":s.import.
previewTitle,children:[n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.import.previewTitle}),n("th",
{scope:"col",class:"number",children:s.import.isNew}),n("th",{scope:"col",class:"number",children:s.import.existing})]})}),
n("tbody",{children:t.map(([r,o,a])=>n("tr",{children:[n("th",{scope:"row",children:r}),n("td",{class:"number",children:o}),
n("td",{class:"number",children:a??s.unknown})]},r))})]})}async function pi(){let{data:e}=await F(w.demo);mi((await Hn(JSON.
stringify(e),"application/json",!1)).data)}function mi(e){z(s.import.done(e.workspaces_created,e.memories_committed)),me(),
Q(C(e.org_id))}function mn({title:e,onClose:t,create:r}){let[o,a]=f(""),[i,c]=f(""),[d,l]=f(),[p,u]=f(!1),h=async y=>{if(y.preventDefault(),
!p){u(!0);try{let{data:b}=await r(o,i.trim());me(),t(),Q(C(b.id))}catch(b){l(O(b)),u(!1)}}},g=X(d,"name"),m=X(d,"role");
return n(ve,{title:e,size:"narrow",onClose:t,children:n("form",{onSubmit:y=>{h(y)},children:[n(N,{label:s.workspace.name,
fault:g,children:y=>n("input",{...y,type:"text",autofocus:!0,required:!0,maxLength:200,value:o,onInput:b=>a(b.currentTarget.
value)})}),n(N,{label:s.workspace.role,hint:s.workspace.roleHint,fault:m,children:y=>n("input",{...y,type:"text",value:i,
onInput:b=>c(b.currentTarget.value)})}),d&&!g&&!m&&n("p",{class:"fault",role:"alert",children:J(d)}),n("footer",{children:[
n(_,{onClick:t,children:s.cancel}),n(_,{kind:"primary",type:"submit",isBusy:p,children:e})]})]})})}function fi({me:e}){let t=e.workspace_id??void 0;return P(()=>{t!==void 0&&Q(C(t),{replace:!0})},[t]),t===void 0?n(Sd,{me:e}):
n("main",{id:"main",class:"work",tabIndex:-1})}function Sd({me:e}){Se(s.orgs.title);let t=M(w.orgs),[r,o]=f(),[a,i]=f(),
[c,d]=f(!1),l=()=>o(void 0),p=async()=>{d(!0),i(void 0);try{await pi()}catch(h){i(O(h))}finally{d(!1)}},u=t.data?.orgs;return n(
"main",{id:"main",class:"work",tabIndex:-1,children:[n("div",{class:"work-head",children:[n("h1",{children:s.orgs.title}),
G(e,"import_org")&&n(_,{onClick:()=>o("import"),children:s.import.ask}),G(e,"create_org")&&n(_,{onClick:()=>o("create"),
children:s.orgs.create})]}),t.failure&&n(I,{failure:t.failure}),!u&&!t.failure&&n(U,{rows:3,height:44}),u?.length===0&&n(
te,{title:s.orgs.none,children:[n("p",{children:s.orgs.how}),G(e,"import_org")&&n(R,{children:[n(_,{kind:"primary",isBusy:c,
onClick:()=>{p()},children:s.orgs.demo}),n(Ie,{failure:a}),n("p",{class:"quiet",children:s.orgs.demoText})]})]}),u&&u.length>
0&&n(Rd,{orgs:u}),r==="import"&&n(ui,{onClose:l}),r==="create"&&n(mn,{title:s.orgs.create,onClose:l,create:(h,g)=>qt({name:h,
...g===""?{}:{role:g}})})]})}function Rd({orgs:e}){return n("div",{class:"scroll",children:n("table",{class:"table",children:[
n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.orgs.name}),n("th",{scope:"col",class:"number",children:s.
system.workspaces}),n("th",{scope:"col",class:"number",children:"LOCAL"}),n("th",{scope:"col",class:"number",children:"T\
EAM"}),n("th",{scope:"col",class:"number",children:"GLOBAL"}),n("th",{scope:"col",children:s.orgs.created})]})}),n("tbod\
y",{children:e.map(t=>n("tr",{children:[n("th",{scope:"row",children:n(T,{to:C(t.org_id),children:n("bdi",{children:t.name})})}),
n("td",{class:"number",children:t.workspaces}),n("td",{class:"number",children:t.memories.local}),n("td",{class:"number",
children:t.memories.team}),n("td",{class:"number",children:t.memories.global}),n("td",{children:n(j,{at:t.created_at})})]},
t.org_id))})]})})}function hi(){return Se(s.notFound.title),n("main",{id:"main",class:"work",tabIndex:-1,children:[n("h1",{children:s.notFound.
title}),n(te,{title:s.notFound.why,children:n(T,{to:"./",children:s.notFound.home})})]})}var Te=new Intl.NumberFormat;function yi(){Se(s.system.title);let e=M(w.stats),t=M(w.ready),r=M(w.version),[o,a]=f(!1),{
embedder:i}=e.data??{},c=Cd(i??void 0,e.at),d=()=>{a(!0),ye(w.stats),ye(w.ready)};return n("main",{id:"main",class:"work",
tabIndex:-1,children:[n("div",{class:"work-head",children:[n("h1",{children:s.system.title}),n(_,{onClick:d,children:s.refresh})]}),
n("p",{class:`ready ${t.failure?"bad":""}`,role:o?"status":void 0,children:Pd(t)}),i?.failing&&n("p",{class:"notice",role:"\
status",children:[n("bdi",{children:s.system.failing(i.failing)})," ",n("bdi",{children:s.system.failingAct(i.name)})]}),
e.failure&&n(I,{failure:e.failure}),!e.data&&!e.failure&&n(U,{rows:6,height:32}),e.data&&n(Ed,{stats:e.data,at:e.at,version:r.
data,perSecond:c})]})}var Td=2e3;function Cd(e,t){let r=L(void 0),[o,a]=f(0);return P(()=>{if(!e||t===void 0)return;let i=r.
current;if(r.current={embedded:e.embedded,at:t},i&&t>i.at&&a((e.embedded-i.embedded)*1e3/(t-i.at)),e.waiting===0)return;
let c=setTimeout(()=>!document.hidden&&ye(w.stats),Td);return()=>clearTimeout(c)},[t]),o}function Pd(e){return e.failure?
s.system.notReady(e.failure.message):e.data?s.system.ready:s.system.checking}function Ed({stats:e,at:t,version:r,perSecond:o}){
let{memories:a}=e,i=[[s.system.version,r?.version??e.version],[s.system.store,s.system.stores[e.store]??e.store],[s.system.
size,Ad(e.size_bytes)],[s.system.orgs,Te.format(e.orgs)],[s.system.workspaces,Te.format(e.workspaces)],[s.system.memories,
Te.format(a.local+a.team+a.global)],["LOCAL",Te.format(a.local)],["TEAM",Te.format(a.team)],["GLOBAL",Te.format(a.global)],
[s.system.entries,Te.format(e.entries)],[s.system.episodes,Te.format(e.episodes)],...$d(e.embedder,o),[s.system.since,n(
j,{at:e.started_at})]];return n(R,{children:[n("table",{class:"facts",children:n("tbody",{children:i.map(([c,d])=>n("tr",
{class:/^[A-Z]+$/.test(c)?"part":"",children:[n("th",{scope:"row",children:c}),n("td",{children:d})]},c))})}),t!==void 0&&
n("p",{class:"quiet",children:[s.asOf," ",n(j,{at:new Date(t).toISOString()})]})]})}var Md=1e5;function $d(e,t){if(!e)return[
[s.system.embedder,s.system.noEmbedder]];let{waiting:r,embedded:o,refused:a,failed:i}=e,c=ut(0,r*1e3/t),d=r>=Md,l=d?s.system.
many(Te.format(r)):Te.format(r),p=r===0||d?l:s.system.queue(l,t,c);return[[s.system.embedder,e.name],[s.system.waiting,p],
[s.system.embedded,Te.format(o)],...a>0?[[s.system.refused,Te.format(a)]]:[],...i>0?[[s.system.failed,Te.format(i)]]:[]]}
var gi=["B","KiB","MiB","GiB","TiB"];function Ad(e){let t=Math.min(gi.length-1,Math.floor(Math.log2(Math.max(1,e))/10)),
r=e/2**(10*t);return`${r<10&&t>0?r.toFixed(1):Math.round(r)} ${gi[t]}`}function bi({workspace:e}){let[t,r]=f(),[o,a]=f(),i=async()=>{a(void 0);try{let d=0,l;do{let p=(await F(w.verify(e.org_id,
l))).data;d+=p.sealed_rows,l=p.intact?p.next??void 0:void 0,r({rows:d,answer:p,at:new Date().toISOString(),isRunning:l!==
void 0})}while(l!==void 0)}catch(d){a(O(d))}},c=t?.answer.intact===!1;return n("div",{class:`chain ${c?"broken":""}`,children:[
n("p",{role:"status",children:[n("bdi",{children:o?J(o):Ld(t)})," ",t&&!t.isRunning&&n("span",{class:"quiet",children:n(
j,{at:t.at})})]}),n(_,{isBusy:t?.isRunning??!1,onClick:()=>{i()},children:s.chain.verify})]})}function Ld(e){if(!e)return s.
chain.description;let{rows:t,answer:r,isRunning:o}=e;return r.intact?o?s.chain.running(t):`${s.chain.intact(t,r.last_seq)}${s.
chain.waiting(r.waiting_rows)}`:`${s.chain.broken}: ${ue(r.fault??"")}`}var Id=500;function wi({workspace:e,parameters:t}){let[r,o]=f(),a=async()=>{let i=[];try{let c=w.access(e.id,{...t,limit:Id});
for(;c!==void 0;){o(i.length);let d=await F(c);i.push(...d.data.map(l=>`${JSON.stringify(l)}
`)),c=d.next}Od(`access-log-${e.name}.jsonl`,i)}catch(c){z(J(O(c)))}finally{o(void 0)}};return n(_,{isBusy:r!==void 0,onClick:()=>{
a()},children:r===void 0?s.access.export:s.access.exporting(r)})}function Od(e,t){let r=document.createElement("a");r.href=
URL.createObjectURL(new Blob(t,{type:"application/jsonl"})),r.download=e.replace(/[^\p{L}\p{N}.-]+/gu,"-"),r.click(),URL.
revokeObjectURL(r.href)}var kr=3;function ki({rows:e}){let{head:t}=s.access;return n("table",{class:"table accesses-table",children:[n("thead",{
children:n("tr",{children:[n("th",{scope:"col",children:t.at}),n("th",{scope:"col",children:t.who}),n("th",{scope:"col",
children:t.did}),n("th",{scope:"col",children:t.as}),n("th",{scope:"col",children:t.memories}),n("th",{scope:"col",class:"\
number",children:t.seal})]})}),n("tbody",{children:e.map(r=>n(Dd,{row:r},r.seq))})]})}function Dd({row:e}){return n("tr",
{class:e.action==="redact_memory"?"marked":"",children:[n("td",{children:n(j,{at:e.at,brief:!0})}),n("td",{class:"who-di\
d",children:[n(T,{to:ie({subject:e.subject}),title:e.subject,children:n("bdi",{children:e.subject})}),n("span",{class:"q\
uiet",children:[" ",e.role]})]}),n("td",{children:[s.access.did(e.action),n(Fd,{context:e.context})]}),n("td",{children:n(
T,{to:C(e.workspace_id,"access"),children:n("bdi",{children:ts(e.workspace_id)??`${e.workspace_id.slice(0,8)}…`})})}),
n("td",{children:[n(Wd,{row:e}),e.run_id&&n(T,{to:ie({run_id:e.run_id}),children:s.access.sentences.run_id(e.run_id)})]}),
n("td",{class:"number",title:e.sealed?s.access.sealed:s.access.waiting,children:[e.seq,!e.sealed&&n("span",{class:"quiet",
children:[" ",s.access.waiting]})]})]})}function Fd({context:e}){let{reason:t}=e;return typeof t!="string"?null:n("span",
{class:"reach-why",children:n("bdi",{children:t})})}function Wd({row:e}){let{memories:t}=e;return t.length===0?null:n("s\
pan",{class:"named",children:[t.slice(0,kr).map(({id:r})=>n(T,{to:`${C(e.workspace_id)}?m=${r}`,title:r,children:n("code",
{children:r.slice(-6)})},r)),t.length>kr&&n("span",{class:"quiet",children:s.access.more(t.length-kr)})]})}var vi=["memory_id","run_id","since","until"],Nd=100;function _i({workspace:e}){let{query:t}=ee(),[r,o]=f(t.get("subject")??
""),{settled:a,settle:i}=st(r.trim(),mt),c=Bd(t,a),d=re(w.access(e.id,{...c,limit:Nd})),l=vi.filter(u=>t.has(u)),p=t.get(
"only")===null;return n("section",{class:"list","aria-label":s.tabs.access,children:[n(bi,{workspace:e}),n("div",{class:"\
list-head",children:n("div",{class:"filter-bar",children:[n("div",{class:"filter-line",children:[n("label",{class:"searc\
h",children:[n(Me,{}),n("input",{type:"search",placeholder:s.access.who,"aria-label":s.access.who,spellcheck:!1,value:r,
onInput:u=>o(u.currentTarget.value),onKeyDown:({key:u})=>u==="Enter"&&i()})]}),n(Y,{label:s.access.action,value:t.get("a\
ction")??"",options:[["",s.access.all],...zn],onChange:u=>A({action:u},{replace:!0})}),n(Y,{label:s.callers.title,value:t.
get("callers")??"",options:s.callers.all,onChange:u=>A({callers:u},{replace:!0})}),n(Y,{label:s.access.time,value:"",options:[
["",s.access.anyTime],...s.access.times],onChange:u=>A({since:Ud(u)},{replace:!0})}),e.child_count>0&&n("label",{class:"\
check",children:[n("input",{type:"checkbox",checked:p,onChange:u=>A({only:u.currentTarget.checked?void 0:"1"},{replace:!0})}),
s.access.subtree]}),n(wi,{workspace:e,parameters:c})]}),l.length>0&&n("ul",{class:"chips","aria-label":s.filters.title,children:l.
map(u=>n("li",{children:n(Yt,{onRemove:()=>A({[u]:void 0},{replace:!0}),children:n("bdi",{children:Hd(u,t.get(u)??"")})})},
u))})]})}),n("div",{class:`rows ${d.isStale?"stale":""}`,"aria-busy":d.isLoading,children:[d.failure&&n(I,{failure:d.failure}),
!d.rows&&!d.failure&&n(U,{height:32}),d.rows?.length===0&&!d.isStale&&!d.hasMore&&n(te,{title:qd(c)?s.access.nothingMatches:
s.access.none(e.name),children:n("p",{children:s.access.how})}),d.rows&&d.rows.length>0&&n(ki,{rows:d.rows}),d.hasMore&&
n(_,{kind:"quiet",class:"more",isBusy:d.isLoading,onClick:d.more,children:s.more})]})]})}function Bd(e,t){let r=["action",
"callers",...vi].map(a=>[a,e.get(a)??void 0]),o=e.get("only")===null?"true":void 0;return{...Object.fromEntries(r),subject:t===
""?void 0:t,subtree:o}}var qd=e=>Object.entries(e).some(([t,r])=>t!=="subtree"&&r!==void 0);function Hd(e,t){return s.access.
sentences[e](e==="since"||e==="until"?pt(t):t)}function Ud(e){return e===""?void 0:new Date(Date.now()-Number(e)*1e3).toISOString()}function xi({workspace:e,profile:t}){let[r,o]=f(""),[a,i]=f(),[c,d]=f(),[l,p]=f(!1),u=async y=>{if(y.preventDefault(),l||
!t)return;p(!0),d(void 0);let b=r.trim()===""?{}:{query:r.trim()};try{i((await _o(e.id,{profile_id:t.id,...b})).data)}catch(v){
d(O(v))}finally{p(!1)}},{title:h,description:g,show:m}=s.context;return t?n("section",{class:"context",children:[n("h2",
{children:h}),n("p",{class:"quiet",children:g}),n("form",{onSubmit:y=>{u(y)},children:[n(N,{label:s.context.query,hint:s.
context.queryHint,children:y=>n("input",{...y,type:"text",value:r,onInput:b=>o(b.currentTarget.value)})}),n(_,{type:"sub\
mit",isBusy:l,children:m})]}),n(Ie,{failure:c}),a&&n(jd,{workspace:e,profile:t,context:a})]}):n("section",{class:"contex\
t",children:[n("h2",{children:h}),n("p",{class:"quiet",children:s.context.unavailable})]})}function jd({workspace:e,profile:t,
context:r}){let o=t.injection.token_budget??void 0;return n("div",{class:"context-block",role:"status",children:[n("h3",
{children:s.context.size(r.entries.length,r.tokens,o)}),r.block===""?n("p",{children:s.context.empty}):n(he,{text:r.block,
label:s.context.block}),r.left_out.length>0&&n(R,{children:[n("h3",{children:s.context.omitted(r.left_out.length)}),n("u\
l",{class:"left-out",children:r.left_out.map(a=>n(zd,{workspace:e,each:a},a.memory_id))})]})]})}var Kd=120;function Vd(e){
return[...e].length<Kd?e:`${e}…`}function zd({workspace:e,each:t}){return n("li",{children:[n(T,{to:`${C(e.id)}?m=${t.
memory_id}`,children:n(ae,{text:Vd(t.excerpt??t.memory_id)})}),n("p",{class:"memory-facts",children:[n(ke,{scope:t.scope}),
n("span",{class:"fact",children:n("bdi",{children:t.kind})}),n("span",{children:s.memory.confidenceOf(t.confidence)})]}),
n("p",{children:n("bdi",{children:ue(t.reason)})})]})}var fn=e=>e==null?"":String(e);function Gd(e){if(e==null)return{age:"",ageIn:"86400"};let[t]=s.profiles.ages.find(([r])=>e%
Number(r)===0)??["1"];return{age:String(e/Number(t)),ageIn:t}}function vr(e){let{retention:t,injection:r}=e??{};return{name:e?.
name??"",isDefault:e?.is_default??!1,isolation:e?.isolation??"tree",...Gd(t?.max_age_seconds),entries:fn(t?.max_entries),
strategy:r?.strategy??"relevance",limit:fn(r?.limit??5),scopes:r?.scopes??[],confidence:fn(r?.min_confidence),budget:fn(
r?.token_budget),kinds:e?.excluded_kinds.join(", ")??""}}var $t=e=>e.trim()===""?null:Number(e);function Jd({age:e,ageIn:t}){
let r=$t(e);return r===null?null:Math.round(r*Number(t))}function Si(e,t){return{name:e.name,isolation:e.isolation,retention:{
max_age_seconds:Jd(e),max_entries:$t(e.entries)},injection:{strategy:e.strategy,limit:$t(e.limit)??5,scopes:e.scopes,min_confidence:$t(
e.confidence),token_budget:$t(e.budget)},excluded_kinds:e.kinds.split(",").map(r=>r.trim()).filter(Boolean),...e.isDefault&&
!t?.is_default?{is_default:!0}:{}}}function Yd(e,t){return e.name?.trim()===""?{...e,name:t?.name??Qd}:e}var Qd="unnamed\
 draft";function Ri({workspace:e,profile:t,canManage:r,inForce:o,onSaved:a}){let[i,c]=f(()=>vr(t)),[d,l]=f(),[p,u]=f(!1),
h=D=>c(E=>({...E,...D(E)})),g=D=>h(()=>D),[m,y]=f(),b=Si(i,t),v=JSON.stringify(b),S=ft(v),k=v!==JSON.stringify(Si(vr(t),
t)),q=He(r&&k?S:void 0,D=>qn(e.id,t?.id,Yd(JSON.parse(S),t),D)),x=b.retention.max_age_seconds!==null||b.retention.max_entries!==
null,B=async()=>{let D=t?ko(e.id,t.id,b):wo(e.id,b),{data:E}=await D;c(vr(E)),z(s.profiles.saved(E.name)),a(E)},$=async D=>{
if(D.preventDefault(),!p){u(!0),l(void 0);try{let E=x?(await qn(e.id,t?.id,b)).data:void 0;E&&E.expires>0?y(E):await B()}catch(E){
l(O(E))}finally{u(!1)}}},{labels:H,hints:K}=s.profiles,V=(D,E={type:"text"})=>n(N,{label:H[D],hint:K[D],fault:X(d,Mt[D]),
children:Ce=>n("input",{...Ce,...E,readOnly:!r,value:i[D],onInput:wt=>g({[D]:wt.currentTarget.value})})}),ne=(D,E)=>r?D:
D.filter(([Ce])=>Ce===E),Ae=Object.values(Mt).some(D=>X(d,D)!==void 0);return n(R,{children:[n("form",{class:"profile-fo\
rm",onSubmit:D=>{$(D)},children:[V("name"),n("label",{class:"check",children:[n("input",{type:"checkbox",checked:i.isDefault,
disabled:!r||t?.is_default,onChange:D=>g({isDefault:D.currentTarget.checked})}),H.isDefault]}),n("h2",{children:H.reads}),
n("fieldset",{class:"scope-choice",disabled:!r,children:[n("legend",{children:H.isolation}),s.profiles.isolations.map(([
D,E])=>n("label",{class:"choice-line",children:[n("input",{type:"radio",name:"isolation",checked:i.isolation===D,onChange:()=>g(
{isolation:D})}),E]},D)),n("p",{class:"hint",role:"status",children:n(Xd,{isDefault:i.isDefault,isolation:i.isolation,inForce:o,
dryRun:q})})]}),V("kinds"),n("h2",{children:H.keeps}),n("div",{class:"columns",children:[n(N,{label:H.age,hint:K.age,fault:X(
d,Mt.age),children:D=>n("div",{class:"with-unit",children:[n("input",{...D,type:"number",min:"0",step:"any",readOnly:!r,
value:i.age,onInput:E=>g({age:E.currentTarget.value})}),n(Y,{label:H.ageIn,value:i.ageIn,options:ne(s.profiles.ages,i.ageIn),
onChange:E=>g({ageIn:E})})]})}),V("entries",{type:"number",min:1})]}),n("p",{class:"hint",role:"status",children:k&&x&&n(
Zd,{dryRun:q})}),n("h2",{children:H.injects}),n(N,{label:H.strategy,children:({id:D})=>n(Y,{id:D,value:i.strategy,options:ne(
s.profiles.strategies,i.strategy),onChange:E=>g({strategy:E})})}),n("fieldset",{class:"scope-choice",disabled:!r,children:[
n("legend",{children:H.scopes}),n("div",{class:"checks",children:Ue.map(D=>n("label",{class:"check",children:[n("input",
{type:"checkbox",checked:i.scopes.includes(D),onChange:E=>{let Ce=E.currentTarget.checked;h(({scopes:wt})=>({scopes:Ue.filter(
Mr=>Mr===D?Ce:wt.includes(Mr))}))}}),n(ke,{scope:D})]},D))}),X(d,Mt.scopes)?n("p",{class:"fault",role:"alert",children:X(
d,Mt.scopes)}):n("p",{class:"hint",children:K.scopes})]}),n("div",{class:"columns three",children:[V("limit",{type:"numb\
er",min:1,max:50}),V("budget",{type:"number",min:1}),V("confidence",{type:"number",min:0,max:1,step:.05})]}),!Ae&&n(Ie,{
failure:d}),r&&n("footer",{children:n(_,{kind:"primary",type:"submit",isBusy:p,children:t?s.profiles.save:s.profiles.create})})]}),
m&&n(oe,{title:s.profiles.expireTitle(i.name),size:"narrow",label:s.profiles.expire(m.expires),act:B,onClose:()=>y(void 0),
children:[n("p",{children:s.profiles.expires(m)}),n("p",{children:s.profiles.expireText})]})]})}function Xd({isDefault:e,
isolation:t,inForce:r,dryRun:o}){if(!e)return n(R,{children:s.profiles.notDefault});let a=l=>s.profiles.isolations.findIndex(
([p])=>p===l),{loses:i}=o.data??{},c=i&&i.local+i.team+i.global,d=a(t)>a(r);return c||d&&c===0?n("span",{class:"narrows",
children:s.profiles.narrows(c)}):d?n(Ti,{text:s.profiles.narrowsUnknown,dryRun:o}):n(R,{children:t===r?s.profiles.inForce:
s.profiles.widens})}function Zd({dryRun:e}){return e.data?e.data.expires>0?n("span",{class:"narrows",children:s.profiles.
expires(e.data)}):null:n(Ti,{text:s.profiles.expiresUnknown,dryRun:e})}function Ti({text:e,dryRun:t}){let{failure:r}=t;return n(
"span",{class:"narrows",children:[e,r&&n(R,{children:[" ",n("bdi",{children:J(r)})]})]})}var Mt={name:"name",age:"retent\
ion.max_age_seconds",entries:"retention.max_entries",scopes:"injection.scopes",limit:"injection.limit",confidence:"injec\
tion.min_confidence",budget:"injection.token_budget",kinds:"excluded_kinds"};function Pi({me:e,workspace:t}){let{query:r}=ee(),o=M(w.profiles(t.id)),[a,i]=f(!1),c=G(e,"manage_profiles"),d=r.get("pr\
ofile"),l=d==="new"&&c,p=o.data?.find(({id:S})=>S===d)??o.data?.[0],u=L(null),[h,g]=f(!1);if(P(()=>{!h||a||l||d!==null&&
p?.id!==d||(g(!1),u.current?.querySelector("[aria-pressed=true]")?.focus())}),o.failure&&!o.data)return n(I,{failure:o.failure});
if(!o.data||!p)return n(U,{rows:6});let m=S=>A({profile:S}),y=async()=>{await vo(t.id,p.id),z(s.profiles.deleted(p.name)),
A({profile:void 0},{replace:!0}),Ci(t.id),g(!0)},b=({id:S})=>{Ci(t.id),l&&g(!0),A({profile:S},{replace:!0})},v=o.data.find(
S=>S.is_default)?.isolation??"tree";return n("div",{class:"profiles",children:[n("div",{class:"profiles-head",children:[
n("div",{ref:u,class:"segments wrap",role:"group","aria-label":s.tabs.profiles,children:[o.data.map(({id:S,name:k,is_default:q})=>n(
"button",{type:"button","aria-pressed":!l&&S===p.id,onClick:()=>m(S),children:[n("bdi",{children:k}),q&&k!==s.profiles.isDefault&&
n("span",{class:"default-mark",children:s.profiles.isDefault})]},S)),l&&n("button",{type:"button","aria-pressed":!0,children:s.
profiles.new})]}),c&&!l&&n(_,{onClick:()=>m("new"),children:s.profiles.add}),c&&!l&&!p.is_default&&n(_,{kind:"danger",onClick:()=>i(
!0),children:s.profiles.delete})]}),n("div",{class:"profiles-columns",children:[n(Ri,{workspace:t,profile:l?void 0:p,canManage:c,
inForce:v,onSaved:b},l?"new":p.id),n(xi,{workspace:t,profile:l?void 0:p},l?"new":p.id)]}),a&&n(oe,{title:s.profiles.deleteTitle(
p.name),size:"narrow",label:s.profiles.delete,act:y,onClose:()=>i(!1),children:n("p",{children:s.profiles.deleteText})})]})}
function Ci(e){xe(t=>t.startsWith(w.workspace(e)))}var el=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,hn=e=>el.test(e.trim());var tl=260;function Ei({workspace:e,memory:t,query:r}){let[o,a]=f(t),[i,c]=f(r),d=l=>{l.preventDefault(),A({ask:o.trim(),
q:i.trim()})};return n("section",{class:"ask","aria-label":s.explain.title(e.name),children:[n("h2",{children:n("bdi",{children:s.
explain.title(e.name)})}),n("form",{onSubmit:d,children:[n(N,{label:s.explain.memory,hint:s.explain.memoryHint,children:l=>n(
"input",{...l,type:"text",required:!0,spellcheck:!1,value:o,onInput:p=>a(p.currentTarget.value)})}),n(N,{label:s.explain.
query,hint:s.explain.queryHint,children:l=>n("input",{...l,type:"text",spellcheck:!1,value:i,onInput:p=>c(p.currentTarget.
value)})}),n(_,{type:"submit",children:s.explain.submit})]}),t!==""&&(hn(t)?n(nl,{workspace:e,memory:t,query:r}):n(rl,{workspace:e,
text:t,query:r}))]})}function nl({workspace:e,memory:t,query:r}){let o=M(w.why(e.id,t,r===""?void 0:r));if(o.failure)return n(
I,{failure:o.failure});if(!o.data)return n(U,{rows:2,height:28});let{cause:a,reason:i,readable:c,since:d,superseded_by:l,
score:p,parts:u}=o.data;return n("div",{class:"explanation",role:"status",children:[n("p",{class:`cause ${a==="found"?"y\
es":""}`,children:s.causes[a]}),n("p",{class:"sentence",children:[n("bdi",{children:ue(i)})," ",d&&n(j,{at:d})]}),n("p",
{class:"explanation-links",children:[c&&n(T,{to:`${C(e.id)}?${new URLSearchParams({m:t,...r===""?{}:{q:r}})}`,children:s.
explain.open}),l&&n(T,{to:`${C(e.id,"reach")}?${new URLSearchParams({ask:l,q:r})}`,children:s.explain.replacement}),n($e,
{id:t}),p!=null&&n("span",{class:"quiet",children:s.score.of(p)})]}),n(br,{parts:u??[]})]})}function rl({workspace:e,text:t,
query:r}){let o=M(w.memories(e.id,{q:t,limit:5}));return o.failure?n(I,{failure:o.failure}):o.data?o.data.length===0?n("\
p",{class:"quiet",role:"status",children:n("bdi",{children:s.explain.none(e.name)})}):n(R,{children:[n("h3",{children:s.
explain.select}),n("ul",{class:"candidates",children:o.data.map(a=>n("li",{children:[n(T,{to:`${C(e.id,"reach")}?${new URLSearchParams(
{ask:a.id,q:r})}`,children:n(ae,{text:a.content.slice(0,tl),query:t})}),n("span",{class:"quiet",children:n("bdi",{children:a.
workspace_name})})]},a.id))})]}):n(U,{rows:2,height:28})}function gn(e,t,r){let o=e.trim(),a=ft(o),i=M(a===""?void 0:w.workspaces({q:a,root:r,limit:20})),c=a===o&&!i.isLoading,[
d,l]=f(),p=i.data??[];return P(()=>{d===void 0||!c||(l(void 0),d===o&&t(p))},[d,c,o]),{workspaces:p,isLoading:!c,enter:()=>l(
o)}}function yn({org:e,label:t,placeholder:r,isWanted:o,id:a,onPick:i}){let[c,d]=f(""),[l,p]=f(0),[u,h]=f(!1),g=We(),{workspaces:m,
enter:y}=gn(c,k=>b(k[l]),e),b=k=>{k&&(h(!1),d(""),i(k))},v=k=>{if(k.key==="ArrowDown")p(Math.min(l+1,m.length-1));else if(k.
key==="ArrowUp")p(Math.max(l-1,0));else if(k.key==="Enter")y();else if(k.key==="Escape"&&u)h(!1);else return;k.preventDefault(),
k.stopPropagation()},S=u&&m.length>0;return n("div",{class:"picker",children:[n("input",{type:"text",role:"combobox","ar\
ia-expanded":S,"aria-controls":g,id:a,"aria-label":t,"aria-activedescendant":S?`${g}-${l}`:void 0,placeholder:r??t,autocomplete:"\
off",spellcheck:!1,ref:k=>{o&&k&&document.activeElement===document.body&&k.focus()},value:c,onInput:k=>{d(k.currentTarget.
value),p(0),h(!0)},onKeyDown:v}),n("ul",{id:g,role:"listbox","aria-label":s.jump.results,hidden:!S,children:m.map((k,q)=>n(
"li",{id:`${g}-${q}`,role:"option","aria-selected":q===l,onPointerMove:()=>p(q),onClick:()=>b(k),children:[n("bdi",{children:k.
name}),n("span",{class:"about",children:n("bdi",{children:k.path.map(x=>x.name).join(" ▸ ")})})]},k.id))})]})}function Ai({first:e,second:t,meeting:r}){let o=[$i(e,r),$i(t,r)].filter(i=>i.length>0),a=[...e.path,e].find(i=>i.id===r);
return n("figure",{class:"path-diagram",children:[n("figcaption",{class:"unseen",children:s.compare.diagram}),a&&n(Mi,{step:a}),
n("div",{class:`branches ${o.length>1?"fork":""}`,children:o.map((i,c)=>n("ol",{children:i.map(d=>n("li",{children:n(Mi,
{step:d})},d.id))},c))})]})}function Mi({step:e}){return n(T,{to:C(e.id,"reach"),class:"path-step",children:n("bdi",{children:e.
name})})}function $i(e,t){let r=[...e.path,{id:e.id,name:e.name}],o=r.findIndex(a=>a.id===t);return r.slice(o+1)}function Ii({workspace:e,other:t}){let r=t!==void 0&&t!=="",o=M(r?w.relation(e.id,t):void 0),a=M(r?w.workspace(t):void 0).
data;return n("section",{class:"compare","aria-label":s.compare.title,children:[n("div",{class:"compare-head",children:[
n("h2",{children:s.compare.title}),n(yn,{org:e.org_id,label:s.compare.pick,placeholder:a?.name,isWanted:t==="",onPick:i=>A(
{with:i.id})},t??""),r&&n(ge,{label:s.compare.end,onClick:()=>A({with:void 0}),children:n(fe,{})})]}),o.failure&&n(I,{failure:o.
failure}),r&&!o.data&&!o.failure&&n(U,{rows:3,height:40}),o.data&&n(ol,{workspace:e,second:a,relation:o.data})]})}function ol({
workspace:e,second:t,relation:r}){let o=t?.name??r.other_id;return n(R,{children:[n("p",{class:"sentence",children:n("bd\
i",{children:s.compare.relation(r.relation,e.name,o)})}),n("div",{class:"scroll",children:n("table",{class:"table compar\
e-table",children:[n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.compare.scope}),n("th",{scope:"c\
ol",children:n("bdi",{children:s.compare.reads(e.name,o)})}),n("th",{scope:"col",children:n("bdi",{children:s.compare.reads(
o,e.name)})})]})}),n("tbody",{children:r.rows.map(a=>n(sl,{row:a},a.scope))})]})}),t&&n(Ai,{first:e,second:t,meeting:r.common_ancestor}),
t&&n("p",{children:n(T,{to:`${C(t.id,"reach")}?with=${e.id}`,children:s.compare.reverse(t.name)})})]})}function sl({row:e}){
return n("tr",{children:[n("th",{scope:"row",children:n(ke,{scope:e.scope})}),n(Li,{isYes:e.reads,reason:e.reads_reason}),
n(Li,{isYes:e.read_by,reason:e.read_by_reason})]})}function Li({isYes:e,reason:t}){return n("td",{class:e?"yes":"no",children:[
n("span",{class:"verdict",children:[e?n(Gt,{}):n(fe,{}),e?s.compare.yes:s.compare.no]}),n("span",{class:"reach-why",children:n(
"bdi",{children:t})})]})}var il=30;function Di({workspace:e}){let{query:t}=ee(),r=M(w.reach(e.id)),o=t.get("with");return n("div",{class:"reach",
children:[n(Ii,{workspace:e,other:o??void 0}),n(Ei,{workspace:e,memory:t.get("ask")??"",query:t.get("q")??""},t.get("ask")),
r.failure&&n(I,{failure:r.failure}),!r.data&&!r.failure&&n(U,{rows:6,height:32}),r.data&&n("div",{class:"reach-columns",
children:[n(Oi,{title:s.reach.canRead(e.name),rows:r.data.reads,direction:"reads"}),n(Oi,{title:s.reach.readBy(e.name),rows:r.
data.read_by,direction:"read_by"})]})]})}function al(e){let t=new Map;for(let{workspace_id:r,name:o,scope:a,reason:i}of e){
let c=t.get(r)??{id:r,name:o,scopes:[],reasons:[]};c.scopes.push(a),c.reasons.includes(i)||c.reasons.push(i),t.set(r,c)}
return[...t.values()]}var cl=["self","parent","sibling","child","org"];function Oi({title:e,rows:t,direction:r}){return n(
"section",{children:[n("h2",{children:n("bdi",{children:e})}),cl.map(o=>n(dl,{via:o,direction:r,rows:al(t.filter(a=>a.via===
o))},o))]})}function dl({via:e,direction:t,rows:r}){let{query:o}=ee();if(r.length===0)return null;let a=`all-${t}-${e}`,
i=o.has(a)?r:r.slice(0,il);return n(R,{children:[n("h3",{children:[s.reach.groups[t][e],n("span",{class:"quiet",children:r.
length})]}),n("ul",{class:"reach-rows",children:i.map(c=>n("li",{children:[n("span",{class:"reach-name",children:[n(T,{to:C(
c.id,"reach"),children:n("bdi",{children:c.name})}),n("span",{class:"reach-why",children:n("bdi",{children:c.reasons.join(
"; ")})})]}),n("span",{class:"reach-scopes",children:c.scopes.map(d=>n(ke,{scope:d},d))})]},c.id))}),i.length<r.length&&
n("button",{type:"button",class:"button quiet",onClick:()=>A({[a]:"1"},{replace:!0}),children:s.reach.all(r.length)})]})}var bn=1e3,Fi=60*bn,Wi=60*Fi,ll=24*Wi,ul=2**31-1;function pl(e,t=!1){let r=[[ll,"d"],[Wi,"h"],[Fi,"min"],[bn,"s"]],o=r.findIndex(
([i])=>e>=i);if(o<0)return`0 ${r[3][1]}`;let a=r.slice(o,o+(t?1:2));return a.map(([i,c],d)=>`${Math.floor((d===0?e:e%a[0][0])/
i)} ${c}`).join(" ")}function yt({until:e,onOver:t,brief:r}){let o=Date.parse(e),[a,i]=f(Date.now);return P(()=>{let c=setInterval(
()=>!document.hidden&&i(Date.now()),bn);return()=>clearInterval(c)},[]),P(()=>{let c=o-Date.now()+bn;if(c<=0||c>ul)return;
let d=setTimeout(t,c);return()=>clearTimeout(d)},[o]),n("time",{dateTime:e,title:Fe(e),role:"timer",children:o>a?s.runs.
left(pl(o-a,r)):s.runs.overdue})}function it({run:{status:e}}){let t={open:"now",completed:"",failed:"bad",cancelled:"",timed_out:"late"}[e];return n("sp\
an",{class:`status ${t}`,children:s.runs.statuses[e]})}function at(e){xe(t=>t.startsWith(w.runs(e)))}var ml=100;function Ni({workspace:e,id:t,canEnd:r,onClose:o}){let a=w.run(e.id,t,{limit:ml}),i=M(a),c=L(null);return P(()=>c.
current?.focus({preventScroll:!0}),[]),n("aside",{class:"drawer",ref:c,tabIndex:-1,"aria-label":s.runs.run,children:[n("\
header",{children:[n("h2",{children:n("bdi",{children:i.data?.label??s.runs.run})}),n(ge,{label:s.close,onClick:o,children:n(
fe,{})})]}),i.failure&&!i.data&&n(I,{failure:i.failure}),!i.data&&!i.failure&&n(U,{rows:4}),i.data&&n("div",{class:"draw\
er-body",children:[n("p",{class:"drawer-facts",children:[n(it,{run:i.data}),n("span",{children:s.runs.counts(i.data.status,
i.data.write_count,i.data.dropped_count)})]}),i.data.status==="open"&&r&&n(fl,{workspace:e,run:i.data}),i.data.status===
"open"?n(hl,{path:a,run:i.data}):n(gl,{run:i.data}),n(yl,{run:i.data})]})]})}function fl({workspace:e,run:t}){let[r,o]=f(),
a=t.write_count,i=async g=>{let{data:m}=await xo(e.id,t.run_id,{status:g});z(g==="completed"?s.runs.finished(m.write_count):
s.runs.dropped(m.dropped_count)),at(e.id),g==="completed"&&me()},{finish:c,finishTitle:d,finishText:l,drop:p,dropTitle:u,
dropText:h}=s.runs;return n(R,{children:[n("div",{class:"actions",children:[n(_,{onClick:()=>o("completed"),children:c(a)}),
n(_,{onClick:()=>o("cancelled"),children:p(a)})]}),r==="completed"&&n(oe,{title:d,size:"narrow",kind:"primary",label:c(a),
act:()=>i("completed"),onClose:()=>o(void 0),children:n("p",{children:n("bdi",{children:l(e.name,a)})})}),r==="cancelled"&&
n(oe,{title:u,size:"narrow",label:p(a),act:()=>i("cancelled"),onClose:()=>o(void 0),children:n("p",{children:h})})]})}function hl({
path:e,run:t}){let r=re(e,o=>o.pending);return n("section",{class:"pending","aria-label":s.runs.pending(t.write_count),"\
aria-busy":r.isLoading,children:[n("div",{class:"pending-head",children:n("h3",{children:s.runs.pending(t.write_count)})}),
t.write_count>0&&n("p",{class:"notice",children:s.runs.notReadable}),n("ul",{children:r.rows?.map(o=>n("li",{children:[n(
"del",{children:n(ae,{text:o.content})}),n("p",{class:"memory-facts",children:[n(ke,{scope:o.scope}),n("span",{class:"fa\
ct",children:n("bdi",{children:o.kind})}),n("span",{class:"fact",children:n("bdi",{children:o.namespace})}),n(j,{at:o.held_at})]})]},
o.id))}),r.hasMore&&n(_,{kind:"quiet",isBusy:r.isLoading,onClick:r.more,children:s.more})]})}function gl({run:e}){return e.
status!=="completed"?n("p",{children:s.runs.droppedText}):e.write_count===0?null:n("p",{children:n(T,{to:`${C(e.workspace_id)}\
?run_id=${e.run_id}`,children:s.runs.showCommitted(e.write_count)})})}function yl({run:e}){let t=[[s.runs.by,n("bdi",{children:e.
started_by})],[s.runs.started,n(j,{at:e.started_at})]];if(e.status==="open"){let r=()=>at(e.workspace_id);t.push([s.runs.
timesOut,n(yt,{until:e.times_out_at,onOver:r})])}if(e.finished_at&&t.push([s.runs.ended,n(j,{at:e.finished_at})]),e.session_id){
let r=`${C(e.workspace_id)}?session_id=${encodeURIComponent(e.session_id)}`;t.push([s.runs.session,n(T,{to:r,children:n(
"bdi",{children:e.session_id})})])}return t.push([s.runs.run,n($e,{id:e.run_id})]),n(R,{children:[n("dl",{class:"facts-l\
ist",children:t.map(([r,o])=>n("div",{children:[n("dt",{children:r}),n("dd",{children:o})]},r))}),n("p",{children:n(T,{to:`${C(
e.workspace_id,"access")}?run_id=${e.run_id}`,children:s.runs.log})})]})}var Bi=Object.keys(s.runs.statuses);function qi({me:e,workspace:t}){let{query:r}=ee(),o=L(null),a=Bi.find(l=>l===r.get("\
status")),i=re(w.runs(t.id,{status:a,limit:100})),c=r.get("run")??void 0,d=()=>{A({run:void 0}),Xe(o.current,c)};return be(
{j:()=>le(o.current,1,i.more),ArrowDown:()=>le(o.current,1,i.more),k:()=>le(o.current,-1),ArrowUp:()=>le(o.current,-1),Escape:()=>{
if(c!==void 0)return d();if(a===void 0)return!1;A({status:void 0},{replace:!0})}}),n("div",{class:`with-drawer ${c===void 0?
"":"drawn"}`,children:[n("section",{class:"list","aria-label":s.tabs.runs,children:[n("div",{class:"list-head",children:n(
"div",{class:"segments",role:"group","aria-label":s.runs.status,children:[void 0,...Bi].map(l=>n("button",{type:"button",
"aria-pressed":a===l,onClick:()=>A({status:l},{replace:!0}),children:l?s.runs.statuses[l]:s.runs.all},l??""))})}),n("div",
{class:`rows ${i.isStale?"stale":""}`,"aria-busy":i.isLoading,ref:o,children:[i.failure&&n(I,{failure:i.failure}),!i.rows&&
!i.failure&&n(U,{height:32}),i.rows?.length===0&&!i.isStale&&n(kl,{workspace:t,status:a}),i.rows&&i.rows.length>0&&n(bl,
{runs:i.rows,open:c}),i.hasMore&&n(_,{kind:"quiet",class:"more",isBusy:i.isLoading,onClick:i.more,children:s.more})]})]}),
c!==void 0&&n(Ni,{workspace:t,id:c,canEnd:G(e,"write_memories"),onClose:d},c)]})}function bl({runs:e,open:t}){return n("\
table",{class:"table keys runs",children:[n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.runs.run}),
n("th",{scope:"col",children:s.runs.status}),n("th",{scope:"col",children:s.runs.memories}),n("th",{scope:"col",children:s.
runs.by}),n("th",{scope:"col",children:s.runs.started}),n("th",{scope:"col",children:s.runs.ends})]})}),n("tbody",{children:e.
map(r=>n("tr",{class:r.run_id===t?"open":"",children:[n("th",{scope:"row",children:n(T,{to:ie({run:r.run_id}),"data-row":r.
run_id,class:r.run_id===t?"open":"",children:n("bdi",{children:r.label??`${s.runs.run} ${r.run_id.slice(-6)}`})})}),n("t\
d",{children:n(it,{run:r})}),n("td",{children:s.runs.counts(r.status,r.write_count,r.dropped_count)}),n("td",{class:"val\
ue",children:n("bdi",{children:r.started_by})}),n("td",{children:n(j,{at:r.started_at,brief:!0})}),n("td",{children:n(wl,
{run:r})})]},r.run_id))})]})}function wl({run:e}){return e.status==="open"?n(yt,{until:e.times_out_at,brief:!0,onOver:()=>at(
e.workspace_id)}):e.finished_at?n(j,{at:e.finished_at}):null}function kl({workspace:e,status:t}){return t?n(te,{title:s.
runs.nothingMatches(s.runs.statuses[t])}):n(te,{title:s.runs.none(e.name),children:[n("p",{children:s.runs.how}),n(he,{text:`\
orgmem run start -w ${e.id} --label "nightly review"`,label:s.runs.how})]})}function Hi(e){let t=[],r=new Map;for(let{key:o}of e)r.set(_r(o),(r.get(_r(o))??0)+1);for(let o of e){let a=_r(o.key),i=(r.
get(a)??0)>1?a:"",c=t.at(-1);c?.prefix===i?c.entries.push(o):t.push({prefix:i,entries:[o]})}return t}function _r(e){return/^[^/:.]+[/:.]/.
exec(e)?.[0]??""}function xr(e){let t=e.trim();try{return{value:JSON.parse(t),isJson:!0,fault:void 0}}catch(r){let o=/^[[{"]/.
test(t);return{value:e,isJson:!1,fault:o?vl(t,r):void 0}}}function vl(e,t){let r=Number(/position (\d+)/.exec(t.message)?.[1]??
e.length),o=e.slice(0,r).split(`
`),a=t.message.replace(/ in JSON at position.*| \(line.*|, "?.*"? is not valid JSON/,"");return`line ${o.length}, column\
 ${(o.at(-1)?.length??0)+1}: ${a}`}function bt(e){return JSON.stringify(e,null,2)}function Ui({workspace:e,name:t,canWrite:r,onClose:o}){let a=t==="",i=M(a?void 0:w.entry(e.id,t)),c=L(null),[d,l]=f(!1);
P(()=>{a||c.current?.focus({preventScroll:!0})},[]);let p=i.failure?.status===404&&i.data!==void 0;return n("aside",{class:"\
drawer",ref:c,tabIndex:-1,"aria-label":a?s.state.newKey:s.state.title,children:[n("header",{children:[n("h2",{children:n(
"bdi",{children:a?s.state.newKey:t})}),n(ge,{label:s.close,onClick:o,children:n(fe,{})})]}),n(Ge,{isOutdated:i.isOutdated,
reload:()=>ye(w.entry(e.id,t))}),i.failure&&!p&&n(I,{failure:i.failure}),!a&&!i.data&&!i.failure&&n(U,{rows:4}),p&&n("p",
{class:"notice",children:s.state.gone}),(a||i.data)&&n(_l,{workspace:e,entry:i.data,canWrite:r,onDelete:()=>l(!0)}),d&&i.
data&&n(Sl,{workspace:e,entry:i.data,onClose:()=>l(!1),onDone:o})]})}function _l({workspace:e,entry:t,canWrite:r,onDelete:o}){
let a=qe(),[i,c]=f(t?.key??""),[d,l]=f(t),[p,u]=f(t?bt(t.value):""),[h,g]=f(""),[m,y]=f(),[b,v]=f(!1),[S,k]=f(),q=p!==(d?
bt(d.value):"");P(()=>{t&&!q&&t.version!==d?.version&&(l(t),u(bt(t.value)))},[t]);let x=xr(p),B=async $=>{if($.preventDefault(),
b||x.fault!==void 0)return;v(!0),y(void 0);let H=h===""?{}:{ttl_seconds:Number(h)};try{let K=x.value,{data:V}=await yo(e.
id,{key:i,value:K,if_match_version:d?.version??0,...H}),ne={key:i,value:K,version:V.version,updated_at:new Date().toISOString()};
l(ne),z(s.state.saved(V.version)),pe(e.id),t||A({key:i,new:void 0},{replace:!0})}catch(K){let V=O(K);V.problem.code==="v\
ersion_conflict"?k(await xl(e.id,i)):y(V)}finally{v(!1)}};return n("form",{class:"drawer-body",onSubmit:$=>{B($)},children:[
!t&&n(N,{label:s.state.key,hint:s.state.keyHint,fault:X(m,"key"),children:$=>n("input",{...$,type:"text",required:!0,autofocus:!0,
spellcheck:!1,value:i,onInput:H=>c(H.currentTarget.value)})}),t&&d&&n("p",{class:"drawer-facts",children:[n("span",{class:"\
fact",children:s.state.versionOf(d.version)}),n("span",{class:"fact",children:[s.state.changed," ",n(j,{at:d.updated_at})]}),
d.expires_at&&n("span",{class:"expires",children:s.state.expiresAt(Ye(d.expires_at,a))})]}),r?n(R,{children:[n(N,{label:s.
state.value,hint:p.trim()===""?void 0:x.isJson?s.state.asJson:s.state.asText,fault:x.fault??X(m,"value"),children:$=>n("\
textarea",{...$,class:"code",rows:12,spellcheck:!1,value:p,onInput:H=>u(H.currentTarget.value),onKeyDown:H=>{H.key==="En\
ter"&&(H.ctrlKey||H.metaKey)&&B(H)}})}),n(N,{label:s.state.ttl,hint:s.state.ttlHint,children:({id:$})=>n(Y,{id:$,value:h,
options:s.lifetimes,onChange:g})}),m&&X(m,"key")===void 0&&X(m,"value")===void 0&&n("p",{class:"fault",role:"alert",children:J(
m)}),n("footer",{children:[t&&n(_,{kind:"danger",onClick:o,children:s.state.delete}),n(_,{kind:"primary",type:"submit",isBusy:b,
children:s.state.save})]})]}):n(he,{text:p,label:s.state.value}),S!==void 0&&n(rn,{base:d?bt(d.value):"",theirs:S&&{version:S.
version,text:bt(S.value)},mine:p,check:$=>xr($).fault,onClose:()=>k(void 0),onTake:$=>{l(S??void 0),u($),k(void 0)}})]})}
async function xl(e,t){try{return(await F(w.entry(e,t))).data}catch(r){if(O(r).status===404)return null;throw r}}function Sl({
workspace:e,entry:t,onClose:r,onDone:o}){let a=async()=>{await bo(e.id,t.key),z(s.state.deleted(t.key)),pe(e.id),o()};return n(
oe,{title:s.state.deleteTitle,size:"narrow",label:s.state.delete,act:a,onClose:r,children:n("p",{children:n("bdi",{children:s.
state.deleteText(t.key,t.version,e.name)})})})}var Rl=160;function ji({me:e,workspace:t}){let{query:r}=ee(),[o,a]=f(""),{settled:i,settle:c}=st(o,mt),d=L(null),l=L(null),
p=re(w.entries(t.id,{prefix:i,limit:200})),u=r.get("key")??void 0,h=u!==void 0||r.has("new"),g=G(e,"write_entries"),m=()=>{
A({key:void 0,new:void 0}),Xe(d.current,u)};return be({"/":()=>l.current?.select(),j:()=>le(d.current,1,p.more),ArrowDown:()=>le(
d.current,1,p.more),k:()=>le(d.current,-1),ArrowUp:()=>le(d.current,-1),w:()=>g?A({new:"1",key:void 0}):!1,".":()=>p.isOutdated?
p.reload():!1,Escape:()=>{if(h)return m();if(o==="")return!1;a("")}}),n("div",{class:`with-drawer ${h?"drawn":""}`,children:[
n("section",{class:"list","aria-label":s.tabs.state,children:[n("div",{class:"list-head",children:n("div",{class:"filter\
-bar",children:n("div",{class:"filter-line",children:[n("label",{class:"search",children:[n(Me,{}),n("input",{ref:l,type:"\
search",placeholder:s.state.prefix,"aria-label":s.state.prefix,spellcheck:!1,value:o,onInput:y=>a(y.currentTarget.value),
onKeyDown:y=>{y.key==="Enter"&&c(),gt(()=>le(d.current,1))(y)}})]}),g&&n(_,{kind:"primary",class:"write",onClick:()=>A({
new:"1",key:void 0}),children:[n(Pt,{}),s.state.newKey]})]})})}),n(Ge,{isOutdated:p.isOutdated,reload:p.reload,hasKey:!0}),
n("div",{class:`rows ${p.isStale?"stale":""}`,"aria-busy":p.isLoading,ref:d,children:[p.failure&&n(I,{failure:p.failure}),
!p.rows&&!p.failure&&n(U,{height:32}),p.rows?.length===0&&n(Pl,{workspace:t,prefix:i}),p.rows&&p.rows.length>0&&n(Tl,{entries:p.
rows,open:u}),p.hasMore&&n(_,{kind:"quiet",class:"more",isBusy:p.isLoading,onClick:p.more,children:s.more})]})]}),h&&n(Ui,
{workspace:t,name:u??"",canWrite:g,onClose:m},u??"")]})}function Tl({entries:e,open:t}){return n("table",{class:"table k\
eys",children:[n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.state.key}),n("th",{scope:"col",children:s.
state.value}),n("th",{scope:"col",class:"number",children:s.state.version}),n("th",{scope:"col",children:s.state.expires}),
n("th",{scope:"col",children:s.state.changed})]})}),Hi(e).map(r=>n("tbody",{children:[r.prefix!==""&&n("tr",{class:"grou\
p",children:n("th",{scope:"rowgroup",colSpan:5,children:[n("bdi",{children:r.prefix})," ",n("span",{class:"quiet",children:r.
entries.length})]})}),r.entries.map(o=>n(Cl,{entry:o,prefix:r.prefix,isOpen:o.key===t},o.key))]},`${r.prefix} ${r.entries[0]?.
key}`))]})}function Cl({entry:e,prefix:t,isOpen:r}){let o=qe();return n("tr",{class:r?"open":"",children:[n("th",{scope:"\
row",children:n(T,{to:ie({key:e.key,new:void 0}),"data-row":e.key,class:r?"open":"","aria-label":e.key,title:e.key,children:n(
"bdi",{children:[t!==""&&n("span",{class:"prefix",children:t}),e.key.slice(t.length)]})})}),n("td",{class:"value",children:n(
"code",{children:n("bdi",{children:JSON.stringify(e.value).slice(0,Rl)})})}),n("td",{class:"number",children:e.version}),
n("td",{children:e.expires_at&&n("span",{title:e.expires_at,children:Ye(e.expires_at,o)})}),n("td",{children:n(j,{at:e.updated_at,
brief:!0})})]})}function Pl({workspace:e,prefix:t}){return t!==""?n(te,{title:s.state.nothingMatches(t)}):n(te,{title:s.
state.none(e.name),children:[n("p",{children:s.state.how}),n(he,{text:'memory_set({ "key": "task/current", "value": { "s\
tep": 3 } })',label:s.state.how})]})}function wn(e,t){let r=new Map;for(let o of e){let a=vs(t(o)),i=r.get(a);i?i.push(o):r.set(a,[o])}return[...r]}function ct({run:e,session:t}){return!e&&!t?null:n("span",{class:"trace-links",children:[e&&n(T,{to:ie({run:e,session:void 0}),
title:s.trace.show,children:s.trace.runLink(e)}),t&&n(T,{to:ie({session:t,run:void 0}),title:s.trace.show,children:n("bd\
i",{children:s.trace.sessionLink(t)})})]})}function Ki(){let e=document.activeElement?.closest("li")?.querySelector(".tr\
ace-links a");return e?e.click():!1}var Sr=60,Vi=["search_memories","inject_memories","read_memory","search_session"];function zi(e,t,r){return w.access(e.id,
{action:t,callers:r,limit:100})}function Gi({workspace:e,pages:t,by:r}){return t.rows?.length===0&&!t.hasMore?n(te,{title:s.
reads.none(e.name,r)}):n(R,{children:wn(t.rows??[],o=>o.at).map(([o,a])=>n("section",{class:"day",children:[n("h2",{children:o}),
n("ol",{class:"hits reads",children:a.map(i=>n(El,{row:i},i.seq))})]},o))})}function El({row:e}){let t=e.context.query_hash,
r=n(R,{children:[n("time",{dateTime:e.at,title:Be(e.at),children:Xt(e.at)}),n("span",{class:"label",title:e.subject,children:n(
"bdi",{children:e.subject})}),n("span",{class:"hit-text",children:[s.reads.returned(e.action,e.memories.length),typeof t==
"string"&&n("span",{class:"quiet",title:s.reads.hash,children:[" ",n("code",{children:t.slice(0,8)})]})]})]});return e.memories.
length===0?n("li",{children:[n("div",{class:"hit",tabIndex:-1,"data-row":e.seq,children:r}),n(ct,{run:e.run_id,session:void 0})]}):
n("li",{children:[n("details",{class:"unfold",children:[n("summary",{class:"hit","data-row":e.seq,children:r}),n("div",{
class:"body-of",children:[n("ol",{class:"ranked","aria-label":s.reads.inOrder,children:[e.memories.slice(0,Sr).map(({id:o,
version:a},i)=>n("li",{children:n(T,{to:`${C(e.workspace_id)}?m=${o}`,title:s.reads.version(o,a),children:[n("span",{class:"\
quiet",children:i+1})," ",n("code",{children:o.slice(-6)})]})},o)),e.memories.length>Sr&&n("li",{class:"quiet",children:s.
access.more(e.memories.length-Sr)})]}),n("p",{class:"explanation-links",children:[e.run_id&&n(T,{to:`${C(e.workspace_id,
"access")}?run_id=${e.run_id}`,children:s.runs.log}),n(T,{to:`${C(e.workspace_id,"reach")}?ask=`,children:s.explain.missing})]})]})]}),
n(ct,{run:e.run_id,session:void 0})]})}var Ml={start_run:"started",search_memories:"recalled",read_memory:"recalled",search_session:"recalled",read_history:"re\
called",inject_memories:"injected",hold_memory:"staged",commit_memory:"written",edit_memory:"written",restore_memory:"wr\
itten"},$l=new Set(["read_run","read_access_log","watch_events","finish_run","explain_memory","count_memories"]),Al=new Set(
["hold_memory","commit_memory","read_memory"]);function Yi(e){let t=[];for(let r of e.toSorted((o,a)=>Ji(o.at)-Ji(a.at)||
o.seq-a.seq)){if($l.has(r.action))continue;let o=t.at(-1),a=o?.action===r.action&&o.subject===r.subject&&Al.has(r.action);
o&&a?o.memories.push(...r.memories):t.push(Il(r))}return t.map(Ll(t)).filter(r=>r.phase!=="written"||r.memories.length>0)}
function Ll(e){let t=new Set(e.filter(r=>r.phase==="staged").flatMap(r=>r.memories.map(({id:o})=>o)));return r=>r.action===
"commit_memory"?{...r,memories:r.memories.filter(({id:o})=>!t.has(o))}:r}function Ji(e){let t=/\.(\d+)/.exec(e)?.[1]??"";
return Date.parse(e.replace(/\.\d+/,""))*1e3+Number(t.padEnd(6,"0").slice(0,6))}function Il(e){let{query_hash:t,entry_count:r}=e.
context,o=e.action==="inject_memories"&&typeof r=="number"?e.memories.slice(0,r):[...e.memories];return{seq:e.seq,at:e.at,
phase:Ml[e.action]??"other",action:e.action,subject:e.subject,workspace:e.workspace_id,memories:o,isRanked:e.action==="s\
earch_memories"||e.action==="inject_memories",queryHash:typeof t=="string"?t:void 0}}function Qi(e){let t=(...r)=>new Set(
e.filter(o=>r.includes(o.phase)).flatMap(o=>o.memories.map(({id:a})=>a))).size;return{recalled:t("recalled"),injected:t(
"injected"),written:t("staged","written"),committed:t("written")}}var Ol=2e3,Rr=12,Xi=64,Dl=3;function Zi({workspace:e,run:t,session:r,onClose:o}){let a=L(null);P(()=>a.current?.focus({preventScroll:!0}),
[]);let i=M(t&&w.run(e.id,t,{limit:200})),c=t===void 0?s.trace.session(r??""):s.trace.run(i.data?.label,t);return n("asi\
de",{class:"drawer",ref:a,tabIndex:-1,"aria-label":s.trace.title,children:[n("header",{children:[n("h2",{children:n("bdi",
{children:c})}),n(ge,{label:s.close,onClick:o,children:n(fe,{})})]}),n("div",{class:"drawer-body",children:[t!==void 0&&
i.isLoading&&!i.data&&n(U,{rows:4,height:32}),t!==void 0&&(i.data||i.failure)&&n(R,{children:[i.failure?.isTransient&&n(
I,{failure:i.failure}),i.failure?.status===404&&n("p",{class:"notice",children:s.trace.unknown}),n(ea,{workspace:e,id:t,
run:i.data,pending:i.data?.pending,withSummary:!0}),n(Ul,{workspace:e,id:t,run:i.data})]}),t===void 0&&r!==void 0&&n(jl,
{workspace:e,session:r})]})]})}function kn(e){let t=re(e),r=t.hasMore&&!t.isLoading&&!t.failure&&(t.rows?.length??0)<Ol;
return P(()=>{r&&t.more()},[r,t.rows]),t}function ea({workspace:e,id:t,run:r,pending:o=[],withSummary:a=!1}){let i=r?{since:r.
started_at}:{},c=w.access(e.id,{run_id:t,limit:500,...i}),d=kn(c),l=kn(w.memories(e.id,{run_id:t,limit:50})),p=L(!1);if(P(
()=>{p.current&&ye(c),p.current=!0},[r?.status,r?.write_count]),d.failure)return n(I,{failure:d.failure});if(!d.rows)return n(
U,{rows:4,height:32});let u=!d.hasMore,h=Yi(d.rows),g=new Map([...o,...l.rows??[]].map(m=>[m.id,m.content]));return n(R,
{children:[a&&n(Fl,{counts:Qi(h),run:r,isWhole:u}),h.length===0&&u&&n(te,{title:s.trace.empty}),d.hasMore&&!d.isLoading&&
n("p",{class:"notice",children:s.trace.truncated(d.rows.length)}),n("ol",{class:"trace","aria-busy":d.isLoading,"aria-la\
bel":s.trace.steps,children:[h.map(m=>n(Nl,{step:m,run:r,texts:g},m.seq)),r&&n(Hl,{run:r})]})]})}function Fl({counts:e,run:t,
isWhole:r}){let{counts:o}=s.trace,a=p=>r?String(p):s.unknown,[i,c,d]=t?Wl(t):[o.committed,void 0,!1],l=[[o.recalled,a(e.
recalled)],[o.injected,a(e.injected)],[o.written,a(e.written)],[i,c===void 0?a(e.committed):String(c),d]];return n("ol",
{class:"trace-summary","aria-label":s.trace.summary,children:l.map(([p,u,h])=>n("li",{class:h?"bad":"",children:[n("b",{
children:u}),n("span",{children:p})]},p))})}function Wl(e){let{counts:t}=s.trace;return e.status==="open"?[t.pending,e.write_count,
!1]:e.status==="completed"?[t.committed,e.write_count,!1]:[t.dropped,e.dropped_count,e.dropped_count>0]}function Nl({step:e,
run:t,texts:r}){let{memories:o}=e,a=e.phase==="staged"&&t?Bl(t):"there";return n("li",{class:`step ${e.phase}`,children:[
n("time",{dateTime:e.at,title:Fe(e.at),children:Be(e.at)}),n("div",{class:"step-text",children:[n("p",{children:[s.trace.
stepText(e),e.queryHash&&n("span",{class:"quiet",title:s.reads.hash,children:[" ",n("code",{children:e.queryHash.slice(0,
8)})]}),e.subject!==t?.started_by&&n("span",{class:"quiet",children:[" ",n("bdi",{children:s.trace.by(e.subject)})]})]}),
o.length>0&&n("ol",{class:"ranked","aria-label":s.trace.memoriesLabel(e.phase),children:[o.slice(0,Rr).map(({id:i,version:c},d)=>n(
"li",{children:n(ql,{workspace:e.workspace,id:i,version:c,place:e.isRanked?d+1:void 0,text:r.get(i),state:a})},i)),o.length>
Rr&&n("li",{class:"quiet",children:s.access.more(o.length-Rr)})]})]})]})}function Bl({status:e}){return e==="completed"?
"there":"gone"}function ql({workspace:e,id:t,version:r,place:o,text:a,state:i}){let c=n(R,{children:[o!==void 0&&n("span",
{class:"quiet",children:o})," ",a===void 0?n("code",{children:t.slice(-6)}):n(ae,{text:a.length>Xi?`${a.slice(0,Xi)}…`:
a})]});return i==="gone"?n("span",{class:"dropped-chip",title:t,children:n("del",{children:c})}):n(T,{to:`${C(e)}?m=${t}`,
title:s.reads.version(t,r),children:c})}function Hl({run:e}){let t=e.dropped_count>0;return n("li",{class:`step ended ${e.
status==="open"?"open":""} ${t?"bad":""}`,children:[e.finished_at?n("time",{dateTime:e.finished_at,title:Fe(e.finished_at),
children:Be(e.finished_at)}):n(yt,{until:e.times_out_at,brief:!0,onOver:()=>at(e.workspace_id)}),n("div",{class:"step-te\
xt",children:n("p",{children:[n(it,{run:e}),s.trace.end(e.status,e.write_count,e.dropped_count)]})})]})}function Ul({workspace:e,
id:t,run:r}){return n("p",{class:"explanation-links",children:[r&&n(T,{to:`${C(e.id,"runs")}?run=${t}`,children:s.trace.
openRun}),r?.session_id&&n(T,{to:ie({run:void 0,session:r.session_id}),children:n("bdi",{children:s.trace.session(r.session_id)})}),
n(T,{to:`${C(e.id,"access")}?run_id=${t}`,children:s.runs.log}),n($e,{id:t}),r?.status==="open"&&n(_,{kind:"quiet",onClick:()=>xe(
o=>o.includes(t)),children:s.refresh})]})}function jl({workspace:e,session:t}){let r=kn(w.runs(e.id,{session_id:t,limit:200})),
o=kn(w.session(e.id,{session_id:t,limit:200})),a=r.failure??o.failure;if(a)return n(I,{failure:a});if(!r.rows||!o.rows)return n(
U,{rows:4,height:32});let i=new Set(r.rows.map(u=>u.run_id)),c=o.rows.filter(u=>!(u.run_id&&i.has(u.run_id))&&u.method!==
"commit_memory"),d=[...r.rows.map(u=>({at:u.started_at,run:u})),...c.map(u=>({at:u.created_at,hit:u}))];d.sort((u,h)=>Date.
parse(u.at)-Date.parse(h.at));let l=!r.hasMore&&!o.hasMore,p=r.isLoading||o.isLoading;return n(R,{children:[n(Kl,{runs:r.
rows,loose:c,isWhole:l}),d.length===0&&l&&n(te,{title:s.trace.emptySession}),!l&&!p&&n("p",{class:"notice",children:s.trace.
truncated(d.length)}),n("ol",{class:"trace","aria-busy":p,"aria-label":s.trace.steps,children:d.map(({run:u,hit:h})=>u?n(
Vl,{workspace:e,run:u,isOpen:i.size<=Dl},u.run_id):h&&n(zl,{workspace:e,hit:h},h.id))}),n("p",{class:"explanation-links",
children:n(T,{to:`${C(e.id)}?session_id=${encodeURIComponent(t)}`,children:s.trace.memories})})]})}function Kl({runs:e,loose:t,
isWhole:r}){let{counts:o}=s.trace,a=t.filter(u=>u.kind==="memory").length,i=u=>e.reduce((h,g)=>h+u(g),0),c=i(u=>u.status===
"open"?u.write_count:0),d=i(u=>u.dropped_count),l=a+i(u=>u.status==="open"?0:u.write_count),p=[[o.runs(e.length),e.length],
[o.pending,c],[o.committed,l],[o.dropped,d,d>0]];return n("ol",{class:"trace-summary tally","aria-label":s.trace.summary,
children:p.map(([u,h,g])=>n("li",{class:g?"bad":"",children:[n("b",{children:r?h:s.unknown}),n("span",{children:u})]},u))})}
function Vl({workspace:e,run:t,isOpen:r}){return n("li",{class:"step run-step",children:[n("time",{dateTime:t.started_at,
title:Fe(t.started_at),children:Be(t.started_at)}),n("div",{class:"step-text",children:[n("p",{children:[n(T,{to:ie({run:t.
run_id,session:void 0}),children:n("bdi",{children:s.trace.run(t.label,t.run_id)})})," ",n(it,{run:t})," ",n("span",{class:"\
quiet",children:s.runs.counts(t.status,t.write_count,t.dropped_count)})]}),r&&n(ea,{workspace:e,id:t.run_id,run:t})]})]})}
function zl({workspace:e,hit:t}){let r=t.kind==="memory";return n("li",{class:`step ${r?"written":"noted"}`,children:[n(
"time",{dateTime:t.created_at,title:Fe(t.created_at),children:Be(t.created_at)}),n("div",{class:"step-text",children:n("\
p",{children:[n("span",{class:"quiet",children:n("bdi",{children:t.label})})," ",r?n(T,{to:`${C(e.id)}?m=${t.id}`,children:n(
ae,{text:t.content.slice(0,240)})}):n(ae,{text:t.content.slice(0,240)})]})})]})}function ra({workspace:e}){let{query:t}=ee(),{text:r,setText:o,typed:a,onKeyDown:i}=cn(),c=L(null),d=L(null),l=t.get("ki\
nd")??"",p=a===""?"":t.get("order")??"",u=l==="reads",h=t.get("read")??Vi[0],g=t.get("by")??"agents",m=u?void 0:w.session(
e.id,{q:a,kind:l,order:p,limit:100}),y=re(m),b=re(u?zi(e,h,g):void 0),v=u?b:y,S=t.get("run")??void 0,k=t.get("session")??
void 0,q=S!==void 0||k!==void 0,x=L(void 0),B=()=>{A({run:void 0,session:void 0}),document.getElementById("main")?.focus(),
Xe(c.current,x.current)};return be({"/":()=>d.current?.select(),j:()=>le(c.current,1,v.more),k:()=>le(c.current,-1),p:()=>Ki(),
".":()=>v.isOutdated?v.reload():!1,Escape:()=>q?B():r===""?!1:o("")}),n("div",{class:`with-drawer ${q?"drawn":""}`,children:[
n("section",{class:"list","aria-label":s.tabs.timeline,children:[n("div",{class:"list-head",children:n("div",{class:"fil\
ter-bar",children:n("div",{class:"filter-line",children:[!u&&n("label",{class:"search",children:[n(Me,{}),n("input",{ref:d,
type:"search",placeholder:s.timeline.search,"aria-label":s.timeline.search,spellcheck:!1,value:r,onInput:$=>o($.currentTarget.
value),onKeyDown:$=>{i($),gt(()=>le(c.current,1))($)}})]}),n("div",{class:"segments",role:"group","aria-label":s.timeline.
kind,children:s.timeline.kinds.map(([$,H])=>n("button",{type:"button","aria-pressed":l===$,onClick:()=>A({kind:$,read:void 0,
by:void 0},{replace:!0}),children:H},$))}),u&&n(Y,{label:s.reads.which,value:h,options:s.reads.kinds,onChange:$=>A({read:$},
{replace:!0})}),u&&n("div",{class:"segments",role:"group","aria-label":s.callers.title,children:s.callers.apart.map(([$,
H])=>n("button",{type:"button","aria-pressed":g===$,onClick:()=>A({by:$},{replace:!0}),children:H},$))}),a!==""&&!u&&n(Y,
{label:s.memories.order,value:p,options:s.timeline.orders,onChange:$=>A({order:$},{replace:!0})})]})})}),n(Ge,{isOutdated:v.
isOutdated,reload:v.reload,hasKey:!0}),n("div",{class:`rows ${v.isStale?"stale":""}`,"aria-busy":v.isLoading,ref:c,onFocusCapture:({
target:$})=>{x.current=Gl($)},children:[v.failure&&n(I,{failure:v.failure}),!v.rows&&!v.failure&&n(U,{height:32}),u&&b.rows&&
n(Gi,{workspace:e,pages:b,by:g}),!u&&y.rows?.length===0&&n(te,{title:a===""?s.timeline.none(e.name):s.timeline.nothingMatches,
children:a===""&&n("p",{children:s.timeline.how})}),!u&&y.rows&&y.rows.length>0&&n(Jl,{workspace:e,hits:y.rows,query:a,isByTime:p!==
"relevance"}),v.hasMore&&n(_,{kind:"quiet",class:"more",isBusy:v.isLoading,onClick:v.more,children:s.more})]})]}),q&&n(Zi,
{workspace:e,run:S,session:k,onClose:B},S??k)]})}function Gl(e){let t=e instanceof Element&&e.closest("li:has([data-row]\
)")?.querySelector("[data-row]");return t?t.dataset.row:void 0}function Jl({workspace:e,hits:t,query:r,isByTime:o}){return o?
n(R,{children:wn(t,a=>a.created_at).map(([a,i])=>n("section",{class:"day",children:[n("h2",{children:a}),n("ol",{class:"\
hits",children:i.map(c=>n(ta,{workspace:e,hit:c,query:r},c.id))})]},a))}):n("ol",{class:"hits",children:t.map(a=>n(ta,{workspace:e,
hit:a,query:r},a.id))})}function ta({workspace:e,hit:t,query:r}){let o=t.kind==="memory",a=t.request_body!=null||t.response_body!=
null,i=t.status!==null&&t.status!==void 0&&/^(error|failed|timeout|refused)/.test(t.status),c=n(R,{children:[n("time",{dateTime:t.
created_at,title:Be(t.created_at),children:Xt(t.created_at)}),n("span",{class:`label ${o?"of-memory":""}`,children:n("bd\
i",{children:t.label})}),n("span",{class:"hit-text",children:[n(ae,{text:t.content,query:r}),t.method&&n("span",{class:"\
quiet",children:[" ",n("code",{children:n("bdi",{children:t.method})})]})]}),t.status&&t.status!=="ok"&&n("span",{class:`\
status ${i?"bad":""}`,children:t.status})]});return o?n("li",{children:[n(T,{to:`${C(e.id)}?m=${t.id}`,class:"hit","data\
-row":t.id,children:c}),n(ct,{run:t.run_id,session:t.session_id})]}):a?n("li",{children:[n("details",{class:"unfold",children:[
n("summary",{class:"hit","data-row":t.id,children:c}),t.request_body!=null&&n(na,{title:s.timeline.request,body:t.request_body}),
t.response_body!=null&&n(na,{title:s.timeline.response,body:t.response_body})]}),n(ct,{run:t.run_id,session:t.session_id})]}):
n("li",{children:[n("div",{class:"hit",tabIndex:-1,"data-row":t.id,children:c}),n(ct,{run:t.run_id,session:t.session_id})]})}
function na({title:e,body:t}){return n("div",{class:"body-of",children:[n("h3",{children:e}),n(he,{text:JSON.stringify(t,
null,2),label:e})]})}function Tr({dryRun:e}){if(e.failure)return n(Ie,{failure:e.failure});if(e.isLoading)return n(U,{rows:2,height:32});if(!e.
data)return null;let{affected:t,more:r}=e.data;return n("section",{class:"preview",role:"status","aria-label":s.preview.
title,children:[n("h3",{children:s.preview.title}),t.length===0&&n("p",{children:s.preview.nothing}),t.length>0&&n("ul",
{tabIndex:0,"aria-label":s.preview.affected(t.length+r),children:[t.map(o=>n(Yl,{one:o},o.workspace_id)),r>0&&n("li",{class:"\
quiet",children:s.preview.more(r)})]})]})}function Yl({one:e}){return n("li",{children:[n("span",{class:"preview-name",children:[
n("bdi",{children:e.name}),e.removed&&n("span",{class:"status bad",children:[" ",s.preview.removed]})]}),n("span",{class:"\
preview-counts",children:[n(oa,{counts:e.gains,sign:"+",name:s.preview.gains}),n(oa,{counts:e.loses,sign:"−",name:s.preview.
loses})]}),n("p",{children:n("bdi",{children:ue(e.summary)})})]})}function oa({counts:e,sign:t,name:r}){let o=Ue.map(a=>[
a,e[a.toLowerCase()]]);return n(R,{children:o.map(([a,i])=>i===0?null:n("span",{class:`scope ${a.toLowerCase()}`,children:[
n(De,{scope:a}),n("span",{children:[n("span",{class:"unseen",children:[r," "]}),n("span",{"aria-hidden":"true",children:t}),
i," ",a]})]},a))})}function sa({me:e,workspace:t}){let r=L(null),o=L(null),[a,i]=f(),c=t.path.length===0&&t.id===t.org_id,d=[...G(e,"edit_w\
orkspace")?["rename"]:[],...G(e,"move_workspace")&&!c?["move"]:[],...G(e,"remove_workspace")?["remove"]:[]];if(d.length===
0)return null;let l=()=>{i(void 0),o.current?.focus()};return n(R,{children:[n("button",{type:"button",class:"button",popovertarget:"\
change",ref:o,children:s.workspaceActions.menu}),n("div",{id:"change",class:"menu change-menu",popover:"auto",ref:r,onBeforeToggle:()=>Ql(
r.current,o.current),children:d.map(p=>n(_,{kind:"quiet",onClick:()=>{r.current?.hidePopover(),i(p)},children:s.workspaceActions[p]},
p))}),a==="rename"&&n(Xl,{workspace:t,onClose:l}),a==="move"&&n(Zl,{workspace:t,onClose:l}),a==="remove"&&n(eu,{workspace:t,
onClose:l})]})}function Ql(e,t){let r=t?.getBoundingClientRect();!e||!r||(e.style.top=`${r.bottom+4}px`,e.style.left=`${Math.
max(8,Math.min(r.left,innerWidth-168))}px`)}function Xl({workspace:e,onClose:t}){let[r,o]=f(e.name),[a,i]=f(e.role??""),
[c,d]=f(),[l,p]=f(!1),u=async g=>{if(g.preventDefault(),!l){p(!0);try{await Un(e.id,{name:r,role:a.trim()===""?null:a.trim()}),
z(s.workspaceActions.renamed(r)),t(),me()}catch(m){d(O(m)),p(!1)}}},h=[X(c,"name"),X(c,"role")];return n(ve,{title:s.workspaceActions.
renameTitle(e.name),size:"narrow",onClose:t,children:n("form",{onSubmit:g=>{u(g)},children:[n(N,{label:s.workspace.name,
fault:h[0],children:g=>n("input",{...g,type:"text",required:!0,autofocus:!0,value:r,onInput:m=>o(m.currentTarget.value)})}),
n(N,{label:s.workspace.role,hint:s.workspace.roleHint,fault:h[1],children:g=>n("input",{...g,type:"text",value:a,onInput:m=>i(
m.currentTarget.value)})}),n(Ie,{failure:h.some(Boolean)?void 0:c}),n("footer",{children:[n(_,{onClick:t,children:s.cancel}),
n(_,{kind:"primary",type:"submit",isBusy:l,children:s.workspaceActions.save})]})]})})}function Zl({workspace:e,onClose:t}){
let[r,o]=f(),a=He(r?.id,u=>So(e.id,r?.id??"",u)),i=async()=>r?(await Un(e.id,{parent_id:r.id}),z(s.workspaceActions.moved(
e.name,r.name)),me(),!0):!1,{moveTitle:c,moveTo:d,moveHint:l,moveDo:p}=s.workspaceActions;return n(oe,{title:c(e.name),kind:"\
primary",label:a.data&&p(e.descendant_count+1),act:i,onClose:t,children:[n(N,{label:d,hint:l,children:({id:u})=>n(yn,{id:u,
org:e.org_id,label:d,placeholder:r?.name,isWanted:!1,onPick:o})}),n(Tr,{dryRun:a})]})}function eu({workspace:e,onClose:t}){
let[r,o]=f("promote"),a=e.descendant_count,i=a>0?r:void 0,c=He(i??"",b=>Ro(e.id,i,b)),{local:d,team:l,global:p}=e.memories,
u=async()=>{await To(e.id,i),z(s.workspaceActions.removed(e.name));let b=e.path.at(-1);Q(b?C(b.id):"./"),me()},h=a>0&&r===
"cascade"?a+1:1,{removeTitle:g,removeText:m,removeDo:y}=s.workspaceActions;return n(oe,{title:g(e.name),label:c.data&&y(
h),act:u,onClose:t,children:[n("p",{children:n("bdi",{children:m(e.name,d+l+p)})}),a>0&&n("fieldset",{class:"scope-choic\
e",children:[n("legend",{children:s.workspaceActions.below(a)}),["promote","cascade"].map(b=>n("label",{class:"choice-li\
ne",children:[n("input",{type:"radio",name:"children",checked:r===b,onChange:()=>o(b)}),s.workspaceActions[b]]},b))]}),n(
Tr,{dryRun:c})]})}var Cr=e=>JSON.stringify(e,null,2),vn=e=>Cr({mcpServers:{orgmem:e}});function ia({url:e,token:t,workspace:r}){let o=`${e}\
/mcp`,a=d=>({Authorization:`Bearer ${t??d}`}),i=t??"<a token for this workspace>";return[["claude-code",vn({type:"http",
url:o,headers:a("${ORGMEM_TOKEN}")})],["claude-desktop",vn({command:"orgmem",args:["mcp"],env:{ORGMEM_URL:e,ORGMEM_TOKEN:i}})],
["cursor",vn({url:o,headers:a("${env:ORGMEM_TOKEN}")})],["vscode",tu(o,t)],["gemini-cli",vn({httpUrl:o,headers:a("${ORGM\
EM_TOKEN}")})],["codex",nu(o,t)],["rest",ru(e,t,r)],["cli",ou(e,t)]].map(([d,l])=>({id:d,text:l,...s.clients[d]}))}function tu(e,t){
let r=a=>({orgmem:{type:"http",url:e,headers:{Authorization:`Bearer ${a}`}}});if(t!==void 0)return Cr({servers:r(t)});let o={
type:"promptString",id:"orgmem-token",description:"Token for orgmem",password:!0};return Cr({servers:r("${input:orgmem-t\
oken}"),inputs:[o]})}function nu(e,t){let r=t===void 0?'bearer_token_env_var = "ORGMEM_TOKEN"':`http_headers = { Authori\
zation = "Bearer ${t}" }`;return`[mcp_servers.orgmem]
url = "${e}"
${r}`}function ru(e,t,r){let o=`${e}/workspaces/${r.id}/memories`,a=`-H "Authorization: Bearer ${t??"$ORGMEM_TOKEN"}"`;return`\
curl -sS ${a} "${o}?q=deploy"
curl -sS ${a} -H "Content-Type: application/json" -d '{"content": "…", "scope": "TEAM"}' ${o}`}function ou(e,t){return[
`export ORGMEM_URL=${e}`,t===void 0?void 0:`export ORGMEM_TOKEN=${t}`,'orgmem search "deploy"','orgmem commit --scope TE\
AM "…"'].filter(o=>o!==void 0).join(`
`)}function _n(e){xe(t=>t.startsWith(w.tokens(e.id)))}function aa({workspace:e}){let t=re(w.tokens(e.id)),[r,o]=f(),a=He(r===
"all"?e.id:void 0,v=>Eo(e.id,v)),i=()=>o(void 0),c=v=>{_n(e),o(v)},l=(t.isLoading||r==="all"?void 0:t.rows?.find(({jti:v})=>v===
r?.jti))?.streams,p=async()=>{r==="all"?await Po(e.id):r&&await Mo(r.jti),z(r==="all"?s.tokens.allRevoked(e.name):s.tokens.
revoked),_n(e)},{title:u,description:h,revokeAll:g,allTitle:m,oneTitle:y,confirmOne:b}=s.tokens;return n("section",{"ari\
a-busy":t.isLoading,children:[n("h2",{children:u}),n("p",{class:"quiet",children:h}),t.failure&&n(I,{failure:t.failure}),
t.rows?.length===0&&n("p",{children:s.tokens.none}),t.rows&&t.rows.length>0&&n(su,{tokens:t.rows,revoke:c}),t.hasMore&&n(
_,{kind:"quiet",isBusy:t.isLoading,onClick:t.more,children:s.more}),n("div",{class:"actions",children:[n(_,{kind:"danger",
onClick:()=>o("all"),children:g}),n(T,{class:"button quiet",to:`${C(e.id,"access")}?action=issue_token&only=1`,children:s.
tokens.issuers})]}),r==="all"&&n(oe,{title:m,size:"narrow",label:g,act:p,onClose:i,children:[n("p",{children:n("bdi",{children:s.
tokens.allText(e.name)})}),n("p",{children:s.tokens.allEffect(a.data?.tokens,a.data?.streams)})]}),r&&r!=="all"&&n(oe,{title:y,
size:"narrow",label:b,act:p,onClose:i,children:[n("p",{children:n("bdi",{children:s.tokens.oneText(r.subject)})}),n("p",
{children:s.tokens.oneEffect(l)})]})]})}function su({tokens:e,revoke:t}){return n("table",{class:"table tokens",children:[
n("thead",{children:n("tr",{children:[n("th",{scope:"col",children:s.tokens.subject}),n("th",{scope:"col",children:s.tokens.
role}),n("th",{scope:"col",children:s.tokens.issued}),n("th",{scope:"col",title:s.tokens.usedHint,children:s.tokens.used}),
n("th",{scope:"col",children:s.tokens.expires}),n("th",{scope:"col",children:n("span",{class:"unseen",children:s.tokens.
confirmOne})})]})}),n("tbody",{children:e.map(r=>n("tr",{children:[n("th",{scope:"row",children:n("bdi",{children:r.subject})}),
n("td",{children:r.role}),n("td",{children:n(j,{at:r.issued_at})}),n("td",{children:r.last_used_at?n(j,{at:r.last_used_at}):
s.tokens.unused}),n("td",{children:r.revoked_at?n(R,{children:[s.tokens.revokedMark," ",n(j,{at:r.revoked_at})]}):n(j,{at:r.
expires_at})}),n("td",{children:!r.revoked_at&&n(_,{kind:"quiet",onClick:()=>t(r),children:s.tokens.revokeOne})})]},r.jti))})]})}function ca({me:e,workspace:t}){let[r,o]=f(),[a,i]=f("claude-code"),c=Ln.href.replace(/\/$/,""),d=ia({url:c,token:r?.role===
"agent"?r.token:void 0,workspace:t}),l=d.find(u=>u.id===a)??d[0],p=G(e,"manage_tokens");return n("div",{class:"connect",
children:[n("section",{children:[n("h2",{children:s.connect.token}),p?n(iu,{me:e,workspace:t,issued:r,onIssued:o}):n("p",
{children:s.connect.askAdmin})]}),n("section",{children:[n("h2",{children:s.connect.client}),n("div",{class:"segments wr\
ap",role:"group","aria-label":s.connect.client,children:d.map(u=>n("button",{type:"button","aria-pressed":u.id===l?.id,onClick:()=>i(
u.id),children:u.name},u.id))}),l&&n(R,{children:[n("p",{children:l.where}),n(he,{text:l.text,label:l.name})]}),r?.role!==
"agent"&&n("p",{class:"quiet",children:s.connect.variable})]}),p&&n(aa,{workspace:t})]})}function iu({me:e,workspace:t,issued:r,
onIssued:o}){let[a,i]=f("agent"),[c,d]=f(""),[l,p]=f(),[u,h]=f(!1),g=G(e,"manage_admin_tokens")?s.connect.roles:s.connect.
roles.slice(0,1),m=async y=>{if(y.preventDefault(),!u){h(!0),p(void 0);try{let b={role:a,...c===""?{}:{expires_in:Number(
c)}};o((await Co(t.id,b)).data),_n(t)}catch(b){p(O(b))}finally{h(!1)}}};return n(R,{children:[n("form",{class:"issue",onSubmit:y=>{
m(y)},children:[n(N,{label:s.connect.role,children:({id:y})=>n(Y,{id:y,value:a,options:g,onChange:i})}),n(N,{label:s.connect.
lifetime,children:({id:y})=>n(Y,{id:y,value:c,options:s.connect.lifetimes,onChange:d})}),n(_,{kind:"primary",type:"submi\
t",isBusy:u,children:s.connect.issue})]}),l&&n("p",{class:"fault",role:"alert",children:J(l)}),r&&n("div",{class:"issued",
children:[n("p",{children:[n("strong",{children:s.connect.once})," ",s.connect.until(r.role,Fe(r.expires_at))]}),n(he,{text:r.
token,label:s.connect.token})]})]})}var au=["memories","state","timeline","runs","access"];function da({me:e,id:t,tab:r}){let o=M(w.workspace(t));Se(s.tabs[r],
o.data?.name);let a=Qt.map((i,c)=>[String(c+1),()=>Q(C(t,i))]);return be({...Object.fromEntries(a),c:()=>Q(`${C(t,"reach")}\
?with=`)}),o.failure&&!o.data?n("main",{id:"main",class:"work",tabIndex:-1,children:[n("h1",{children:s.workspace.absent}),
n(I,{failure:o.failure})]}):n("main",{id:"main",class:`work ${au.includes(r)?"of-list":""}`,tabIndex:-1,children:[n(du,{
me:e,workspace:o.data,id:t,tab:r}),o.data&&n(cu,{me:e,workspace:o.data,tab:r})]})}function cu({me:e,workspace:t,tab:r}){
switch(r){case"memories":return n(pn,{me:e,workspace:t});case"state":return n(ji,{me:e,workspace:t});case"timeline":return n(
ra,{workspace:t});case"reach":return n(Di,{workspace:t});case"profiles":return n(Pi,{me:e,workspace:t});case"runs":return n(
qi,{me:e,workspace:t});case"access":return n(_i,{workspace:t});case"connect":return n(ca,{me:e,workspace:t})}}function du({
me:e,workspace:t,id:r,tab:o}){let[a,i]=f(!1),c=L(null);return P(()=>c.current?.querySelector("[aria-current]")?.scrollIntoView(
{block:"nearest",inline:"nearest"}),[o]),n(R,{children:[n("div",{class:"work-head",children:[n("div",{class:"work-title",
children:[n("h1",{children:n("bdi",{children:t?.name??" "})}),t?.role&&n("p",{class:"role",children:n("bdi",{children:t.
role})})]}),n($e,{id:r}),t&&n(sa,{me:e,workspace:t}),G(e,"add_child")&&n(_,{onClick:()=>i(!0),children:s.workspace.addChild})]}),
n("nav",{class:"tabs","aria-label":s.workspace.views,ref:c,children:n("ul",{children:Qt.map(d=>n("li",{children:n(T,{to:C(
r,d),"aria-current":d===o?"page":void 0,children:s.tabs[d]})},d))})}),a&&t&&n(mn,{title:s.workspace.addChild,onClose:()=>i(
!1),create:(d,l)=>qt({name:d,parent_id:r,...l===""?{}:{role:l}})})]})}function la(e,t){let r=M(e&&t&&w.reach(e)).data;if(!r||!t)return;let o=new Map;for(let{workspace_id:a,scope:i,reason:c}of r[t]){
let d=o.get(a)??{scopes:[],reasons:[]};d.scopes.push(i),d.reasons.includes(c)||d.reasons.push(c),o.set(a,d)}return o}function Pr(e,t){
return e?s.lens.mark(t,e.scopes.join(", "),e.reasons.join("; ")):s.lens.none(t)}var ua=8,pa=700;function ga(e){let{rows:t,selected:r}=e,o=L(null),[a,i]=f(),c=mu(o),d=L({text:"",at:0}),l=fa(t,a??r),p=c.
rowHeight,u=Math.max(0,Math.floor(c.top/p)-ua),h=Math.min(t.length,Math.ceil((c.top+c.height)/p)+ua),g=t.slice(u,h),m=t[l],
y=m&&(l<u||l>=h),b=x=>{let B=t[Math.max(0,Math.min(t.length-1,x))];B&&(i(B.item.id),ha(o.current,t.indexOf(B),p))};P(()=>{
i(void 0);let x=fa(t,r);r!==void 0&&t[x]?.item.id===r&&ha(o.current,x,p)},[r,t.length===0]);let v=x=>{if(x.ctrlKey||x.metaKey||
x.altKey||!m)return;let B=S(x.key);if(B)B();else if(x.key.length===1&&/\p{L}|\p{N}/u.test(x.key)&&!k(x))q(x);else return;
x.preventDefault(),x.stopPropagation()},S=x=>{let B=m;switch(x){case"ArrowDown":case"j":return()=>b(l+1);case"ArrowUp":case"\
k":return()=>b(l-1);case"Home":return()=>b(0);case"End":return()=>b(t.length-1);case"PageDown":return()=>b(l+Math.floor(
c.height/p));case"PageUp":return()=>b(l-Math.floor(c.height/p));case"ArrowRight":return()=>{B.item.childCount>0&&!B.isOpen?
e.onToggle(B.item.id,!0):B.isOpen&&b(l+1)};case"ArrowLeft":return()=>{B.isOpen?e.onToggle(B.item.id,!1):b(uu(t,l))};case"\
*":return()=>e.onOpenAll(pu(t,B));case"Enter":case" ":case"o":return()=>e.onSelect(B.item.id);default:return}},k=x=>/^[lcg?1-9]$/i.
test(x.key)&&x.timeStamp-d.current.at>pa,q=x=>{let B=x.timeStamp-d.current.at<pa,$=(B?d.current.text:"")+x.key.toLowerCase();
d.current={text:$,at:x.timeStamp};let H=B?l:l+1;for(let K=0;K<t.length;K+=1){let V=(H+K)%t.length;if(t[V]?.item.name.toLowerCase().
startsWith($))return b(V)}};return n("div",{ref:o,class:`tree ${e.marks?"with-lens":""}`,role:"tree",tabIndex:0,"aria-la\
bel":s.frame.workspaces,"aria-activedescendant":m&&ya(m),onKeyDown:v,children:n("div",{role:"none",style:{height:`${t.length*
p}px`},children:[y&&n(ma,{...e,row:m,place:l,height:p,isActive:!0}),g.map((x,B)=>n(ma,{...e,row:x,place:u+B,height:p,isActive:u+
B===l},x.item.id))]})})}function ma({row:e,place:t,height:r,isActive:o,selected:a,lens:i,marks:c,onToggle:d,onSelect:l}){
let{item:p,level:u,isOpen:h}=e,g=c?.get(p.id),y=`tree-row ${e.isAncestorOnly||c!==void 0&&!g?"dim":""} ${o?"active":""}`;
return n("div",{id:ya(e),class:y,role:"treeitem","aria-level":u,"aria-setsize":e.size,"aria-posinset":e.position,"aria-e\
xpanded":p.childCount>0?h:void 0,"aria-selected":p.id===a,title:i&&c?Pr(g,i):void 0,style:{top:`${t*r}px`,height:`${r}px`,
"--level":u},onClick:()=>l(p.id),children:[n("span",{class:`caret ${p.childCount>0?"":"none"} ${h?"open":""}`,onClick:b=>{
b.stopPropagation(),d(p.id,!h)},children:n(ps,{})}),n("span",{class:"name",children:[n("bdi",{children:p.name}),p.role!==
void 0&&n("span",{class:"role",children:[n(xn,{}),n("bdi",{children:p.role})]})]}),c&&i?n(R,{children:[n(lu,{mark:g}),n(
xn,{text:Pr(g,i)})]}):n(R,{children:[n(xn,{}),n("span",{class:"count",children:[p.memories??(e.isAncestorOnly?"":s.unknown),
p.memories!==void 0&&n("span",{class:"unseen",children:[" ",s.frame.memoriesOf(p.memories)]})]}),n(xn,{}),n("span",{class:"\
age",children:p.lastWrite&&n(j,{at:p.lastWrite,brief:!0})})]})]})}function lu({mark:e}){return n("span",{class:"signs",children:e?.
scopes.map(t=>n("span",{class:`sign ${t.toLowerCase()}`,children:n(De,{scope:t})},t))})}function xn({text:e=""}){return n(
"span",{class:"unseen",children:[", ",e]})}var ya=e=>`tree-${e.item.id}`;function fa(e,t){return t===void 0?0:Math.max(0,
e.findIndex(r=>r.item.id===t))}function uu(e,t){let r=e[t]?.level??1;for(let o=t-1;o>=0;o-=1)if((e[o]?.level??1)<r)return o;
return t}function pu(e,t){return e.filter(o=>o.item.parent===t.item.parent&&o.item.childCount>0).map(o=>o.item.id)}function ha(e,t,r){
if(!e)return;let o=t*r;o<e.scrollTop?e.scrollTop=o:o+r>e.scrollTop+e.clientHeight&&(e.scrollTop=o+r-e.clientHeight)}function mu(e){
let[t,r]=f({top:0,height:800,rowHeight:28});return Bt(()=>{let o=e.current;if(!o)return;let a=()=>{let d=parseFloat(getComputedStyle(
o).getPropertyValue("--row-height"))||28;r(l=>{let p={top:o.scrollTop,height:o.clientHeight,rowHeight:d};return l.top===
p.top&&l.height===p.height&&l.rowHeight===p.rowHeight?l:p})};a();let i=new ResizeObserver(a);i.observe(o),o.addEventListener(
"scroll",a,{passive:!0});let c=new MutationObserver(a);return c.observe(document.documentElement,{attributes:!0,attributeFilter:[
"data-density"]}),()=>{i.disconnect(),c.disconnect(),o.removeEventListener("scroll",a)}},[]),t}var fu=200;function wa({me:e,selected:t,filter:r}){let o=wu(e),{query:a}=ee(),[i,c]=f(""),d=ft(i.trim()),l=t===void 0?void 0:
yu(a),p=la(t,l),u=re(d===""?void 0:w.workspaces({q:d,limit:fu})),h=d!=="",g=Ve(()=>Jn(o.items,o.roots,o.open),[o,o.version]),
m=Ve(()=>Qo(u.rows??[]),[u.rows]),y=h?m:g;P(()=>{t!==void 0&&o.isLoaded&&o.reveal(t)},[t,o.isLoaded,o.items]),be({l:()=>ba(
"reads",l,t),"Shift+l":()=>ba("read_by",l,t),Escape:()=>i===""?!1:(c(""),!0)});let b=v=>Q(bu(v));return n("div",{class:"\
tree-pane",children:[n("div",{class:"tree-filter",children:[n(Me,{}),n("input",{ref:r,type:"text",placeholder:s.frame.filter,
"aria-label":s.frame.filter,value:i,onInput:v=>c(v.currentTarget.value)}),i!==""&&n(ge,{label:s.frame.clearFilter,onClick:()=>c(
""),children:n(fe,{})})]}),n(gu,{lens:l,selected:t}),o.failure&&n(I,{failure:o.failure}),!o.isLoaded&&!o.failure&&n(U,{rows:8,
height:28}),h&&u.failure&&n(I,{failure:u.failure}),h&&u.rows&&n(hu,{rows:u.rows,hasMore:u.hasMore,onMore:u.more}),o.isLoaded&&
!h&&y.length===0&&n(te,{title:s.frame.noWorkspaces}),y.length>0&&n(ga,{rows:y,selected:t,lens:l,marks:p,onToggle:(v,S)=>o.
toggle(v,S),onOpenAll:v=>o.openAll(v),onSelect:b})]})}function hu({rows:e,hasMore:t,onMore:r}){return n("p",{class:"tree\
-found",role:"status",children:[e.length===0?s.frame.noneFound:s.frame.found(e.length,t)," ",t&&n(_,{kind:"quiet",onClick:r,
children:s.more})]})}function gu({lens:e,selected:t}){let r=M(t&&w.workspace(t)).data,o=(a,i)=>n("button",{type:"button",
"aria-pressed":e===a,disabled:t===void 0&&a!==void 0,onClick:()=>A({lens:a},{replace:!0}),children:i});return n("div",{class:"\
lens-bar",children:[n("div",{class:"segments",role:"group","aria-label":s.lens.title,children:[o(void 0,s.lens.off),o("r\
eads",s.lens.reads),o("read_by",s.lens.readBy)]}),e&&r&&n("p",{children:n("bdi",{children:s.lens.sentence(e,r.name)})})]})}
function yu(e){let t=e.get("lens");return t==="reads"||t==="read_by"?t:void 0}function ba(e,t,r){if(r===void 0)return!1;
A({lens:t===e?void 0:e},{replace:!0})}function bu(e){let{screen:t,query:r}=Ne(),o=t.name==="workspace"?t.tab:"memories",
a=r.get("lens");return`${C(e,o)}${a?`?lens=${a}`:""}`}function wu(e){let[,t]=f(0),r=Ve(()=>es(e),[e.jti]);return P(()=>r.
listen(()=>t(o=>o+1)),[r]),r}function ka({onClose:e}){return n(ve,{title:s.help.title,onClose:e,children:n("div",{class:"help",children:s.help.groups(
zt).map(([t,r])=>n("section",{children:[n("h3",{children:t}),n("table",{children:n("tbody",{children:r.map(([o,a])=>n("t\
r",{children:[n("th",{scope:"row",children:o.map(i=>n("kbd",{children:i},i))}),n("td",{children:a})]},a))})})]},t))})})}function va({me:e,onClose:t}){let[r,o]=f(""),[a,i]=f(0),c=hn(r),d=We(),l=b=>c?vu(r.trim()):[..._u(e,r),...b.map(ku)],p=b=>Math.
min(a,b.length-1),u=gn(c?"":r,b=>{let v=l(b);m(v[p(v)])}),h=l(u.workspaces),g=p(h),m=b=>{b&&(t(),b.run())},y=b=>{if(b.key===
"ArrowDown")i(Math.min(g+1,h.length-1));else if(b.key==="ArrowUp")i(Math.max(g-1,0));else if(b.key==="Enter")u.enter();else
return;b.preventDefault()};return n(ve,{title:s.jump.title,size:"narrow",onClose:t,children:n("div",{class:"jump",children:[
n("input",{type:"text",role:"combobox",autofocus:!0,autocomplete:"off",spellcheck:!1,"aria-expanded":"true","aria-contro\
ls":d,"aria-label":s.jump.label,"aria-activedescendant":h.length>0?`${d}-${g}`:void 0,placeholder:s.jump.placeholder,value:r,
onInput:b=>{o(b.currentTarget.value),i(0)},onKeyDown:y}),n("ul",{id:d,role:"listbox","aria-label":s.jump.results,children:h.
map((b,v)=>n("li",{id:`${d}-${v}`,role:"option","aria-selected":v===g,ref:S=>{v===g&&S?.scrollIntoView({block:"nearest"})},
onPointerMove:()=>i(v),onClick:()=>m(b),children:[n("bdi",{children:b.name}),n("span",{class:"about",children:n("bdi",{children:b.
about})})]},`${b.name} ${b.about}`))}),h.length===0&&r.trim()!==""&&!u.isLoading&&n("p",{class:"quiet",children:s.jump.nothing})]})})}
function ku(e){let{screen:t}=Ne(),r=t.name==="workspace"?t.tab:"memories",o=e.path.map(a=>a.name).join(" ▸ ");return{name:e.
name,about:o,run:()=>Q(C(e.id,r))}}function vu(e){let{screen:t}=Ne(),r={name:s.jump.workspaceById,about:e,run:()=>Q(C(e))};
if(t.name!=="workspace")return[r];let o=()=>Q(`${C(t.id)}?m=${e}`);return[{name:s.jump.memoryById,about:e,run:o},r]}function _u(e,t){
let{screen:r}=Ne(),o=[{name:s.frame.orgs(e.role),about:s.jump.page,run:()=>Q("./")}];if(G(e,"read_access_log")&&o.push({
name:s.access.audit,about:s.jump.page,run:()=>Q("audit")}),G(e,"read_server")&&o.push({name:s.system.title,about:s.jump.
page,run:()=>Q("system")}),r.name==="workspace"){let{id:i}=r;for(let[c,d]of Object.entries(s.tabs))o.push({name:d,about:s.
jump.thisWorkspace,run:()=>Q(C(i,c))});G(e,"write_memories")&&o.push({name:s.write.do,about:s.jump.thisWorkspace,run:()=>A(
{write:"1"})})}let a=t.trim().toLowerCase();return o.filter(i=>i.name.toLowerCase().includes(a))}var Sa=220,Ra=560,_a=20,xa=e=>Math.max(Sa,Math.min(Ra,Math.round(e)));function Ta(){let e=L(null),t=Ee.current.treeWidth,
r=o=>{lt({treeWidth:xa(o)}),e.current?.setAttribute("aria-valuenow",String(xa(o)))};return n("div",{ref:e,class:"resizer",
role:"separator","aria-orientation":"vertical","aria-label":s.frame.resize,"aria-valuemin":Sa,"aria-valuemax":Ra,"aria-v\
aluenow":t,tabIndex:0,onKeyDown:o=>{let a=o.key==="ArrowLeft"?-_a:o.key==="ArrowRight"?_a:0;a!==0&&(o.preventDefault(),r(
Ee.current.treeWidth+a))},onPointerDown:o=>o.currentTarget.setPointerCapture(o.pointerId),onPointerMove:o=>{o.currentTarget.
hasPointerCapture(o.pointerId)&&r(o.clientX)}})}var xu=15*6e4;function Su(){let[e,t]=f(Ee.current);return P(()=>ls(()=>t(Ee.current)),[]),e}function Ca({me:e,onHelp:t}){
let r=qe(),o=Su(),a=Date.parse(e.expires_at)-r<xu;return n(R,{children:[a&&n("span",{class:"ends-soon",children:s.account.
endsSoon(Ye(e.expires_at,r))}),n("button",{type:"button",class:"who",popovertarget:"who",children:[n("bdi",{children:e.subject}),
n("span",{class:"role",children:e.role})]}),n("div",{id:"who",class:"menu",popover:"auto",children:[n("dl",{children:[n(
"dt",{children:s.account.role}),n("dd",{children:s.account.may(e.role,e.workspace_name??void 0)}),n("dt",{children:s.account.
until}),n("dd",{title:e.expires_at,children:Ye(e.expires_at,r)})]}),n("label",{children:[s.account.theme,n(Y,{value:o.theme,
options:s.account.themes,onChange:i=>lt({theme:i})})]}),n("label",{children:[s.account.density,n(Y,{value:o.density,options:s.
account.densities,onChange:i=>lt({density:i})})]}),n("label",{children:[s.account.singleKeys,n("input",{type:"checkbox",
checked:o.singleKeys,onChange:i=>lt({singleKeys:i.currentTarget.checked})})]}),n("div",{class:"menu-actions",children:[n(
_,{kind:"quiet",onClick:t,children:s.help.title}),n(_,{kind:"quiet",onClick:()=>{Cs()},children:s.account.leave})]})]})]})}function Pa({me:e}){let{screen:t}=ee(),[r,o]=f(),[a,i]=f(!1),c=L(null),d=t.name==="workspace"?t.id:void 0;return P(()=>i(
!1),[d,t.name]),be({"Mod+k":()=>o("jump"),"?":()=>o("help"),"g t":()=>{i(!0),c.current?.focus()},"g s":()=>G(e,"read_ser\
ver")&&Q("system"),"g a":()=>G(e,"read_access_log")?Q("audit"):!1,"g h":()=>Q("./"),Escape:()=>a?i(!1):!1}),n(R,{children:[
n("button",{type:"button",class:"skip",onClick:()=>document.getElementById("main")?.focus(),children:s.frame.skip}),n("h\
eader",{class:"top",children:[n(ge,{class:"tree-toggle",label:s.frame.tree,expanded:a,onClick:()=>i(!a),children:n(ms,{})}),
n(T,{to:"./",class:"mark",children:[n("img",{src:"icon.svg",alt:"",width:"20",height:"20"}),"orgmem"]}),n(Tu,{screen:t}),
n("button",{type:"button",class:"jump-button",onClick:()=>o("jump"),children:[n(Me,{}),n("span",{children:s.jump.button}),
n("kbd",{children:[zt,"K"]})]}),n(as,{me:e,selected:d}),n(Ca,{me:e,onHelp:()=>o("help")})]}),n("div",{class:`body ${a?"w\
ith-tree":""}`,children:[n("nav",{class:"side","aria-label":s.frame.navigation,children:[n("ul",{class:"rail",children:[
n("li",{children:n(Er,{to:"./",isCurrent:t.name==="home",children:[n(hs,{}),s.frame.orgs(e.role)]})}),G(e,"read_access_l\
og")&&n("li",{children:n(Er,{to:"audit",isCurrent:t.name==="audit",children:[n(ys,{}),s.access.audit]})}),G(e,"read_serv\
er")&&n("li",{children:n(Er,{to:"system",isCurrent:t.name==="system",children:[n(gs,{}),s.system.title]})})]}),n(wa,{me:e,
selected:d,filter:c}),n(Ta,{})]}),n(Ru,{me:e,screen:t})]}),r==="jump"&&n(va,{me:e,onClose:()=>o(void 0)}),r==="help"&&n(
ka,{onClose:()=>o(void 0)})]})}function Er({to:e,isCurrent:t,children:r}){return n(T,{to:e,"aria-current":t?"page":void 0,
children:r})}function Ru({me:e,screen:t}){switch(t.name){case"home":return n(fi,{me:e});case"system":return n(yi,{});case"\
audit":return n(li,{me:e});case"workspace":return n(da,{me:e,id:t.id,tab:t.tab},t.id);case"not_found":return n(hi,{})}}function Tu({
screen:e}){let t=e.name==="workspace"?e.id:void 0,r=M(t&&w.workspace(t)).data;return!r||e.name!=="workspace"?n("div",{class:"\
crumbs"}):n("nav",{class:"crumbs","aria-label":s.frame.path,children:n("ol",{children:[r.path.map(o=>n("li",{children:n(
T,{to:C(o.id,e.tab),children:n("bdi",{children:o.name})})},o.id)),n("li",{"aria-current":"page",children:n("bdi",{children:r.
name})})]})})}function Ea(){Se(s.signIn.title);let e=Ss();return n("main",{class:"alone",children:[n("img",{src:"icon.svg",alt:"",width:"\
40",height:"40"}),n("h1",{children:s.signIn.title}),e&&n("p",{class:"notice",role:"alert",children:J(e)}),n($a,{})]})}function Ma({
me:e}){return n(ve,{title:s.signIn.ended,size:"narrow",onClose:()=>{},isForced:!0,children:[n("p",{children:s.signIn.again(
e.subject)}),n($a,{})]})}function $a(){let[e,t]=f(""),[r,o]=f(),[a,i]=f(!1),c=async d=>{if(d.preventDefault(),!(a||e.trim()===
"")){i(!0);try{await Ts(e)}catch(l){o(O(l)),i(!1)}}};return n("form",{onSubmit:d=>{c(d)},children:[n(N,{label:s.signIn.token,
hint:s.signIn.where,fault:r&&J(r),children:d=>n("input",{...d,type:"password",autocomplete:"off",spellcheck:!1,autofocus:!0,
required:!0,value:e,onInput:l=>t(l.currentTarget.value)})}),n(_,{kind:"primary",type:"submit",isBusy:a,children:s.signIn.
do})]})}function Aa(){let e=M(w.me),t=xs();return e.data?n(R,{children:[n(Pa,{me:e.data}),t&&n(Ma,{me:e.data}),n(tn,{})]}):t?n(Ea,
{}):e.failure&&!e.isLoading?n("main",{class:"alone",children:n(I,{failure:e.failure})}):n("div",{class:"top"})}rr();var Sn=document.getElementById("console");Sn&&Re?(Ur(nt),parent!==window&&nt.start(),An(n(di,{}),Sn)):Sn&&(await Rs(),
An(n(Aa,{}),Sn));
//# sourceMappingURL=console.js.map
