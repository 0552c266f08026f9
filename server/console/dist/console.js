// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n2) {
  n2 && n2.parentNode && n2.remove();
}
function m(r3, u3, i3, f4, o4) {
  var e3 = { type: r3, props: u3, key: i3, ref: f4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n2) {
  return n2.children;
}
function x(n2, t3) {
  this.props = n2, this.context = t3, this.__g = 0;
}
function S(n2, t3) {
  if (null == t3) return n2.__ && S(n2.__, n2.__i + 1);
  for (var r3; t3 < n2.__k.length; t3++) if ((r3 = n2.__k[t3]) && r3.__e) return r3.__e;
  return "function" != typeof n2.type || n2.props.__P ? null : S(n2);
}
function C(t3) {
  var r3, u3 = t3.__v, i3 = u3.__e, f4 = [], o4 = [], e3 = t3.__P;
  e3 && ((r3 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r3), z(e3, r3, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i3] : null, f4, i3 || S(u3), 32 & u3.__u, o4), r3.__v = u3.__v, r3.__.__k[r3.__i] = r3, E(f4, r3, o4), u3.__ = u3.__e = null, r3.__e != i3 && j(r3));
}
function j(n2) {
  if ((n2 = n2.__) && n2.__c && !n2.props.__P) return n2.__e = null, n2.__k.some(function(t3) {
    return t3 && (n2.__e = t3.__e);
  }), j(n2);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n2, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n2 = u.shift(), t3 = u.length, 8 & n2.__g && C(n2);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n2, t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, v3, w3, d3, _3, g3 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r3, t3, g3, l3, k2), s3 = 0; s3 < k2; s3++) null != (v3 = r3.__k[s3]) && (h3 = ~v3.__i && g3[v3.__i] || p, v3.__i = s3, _3 = z(n2, v3, h3, i3, f4, o4, e3, l3, c3, a4), w3 = v3.__e, (h3.ref != v3.ref || 8 & h3.__u) && (h3.ref && G(h3.ref, null, v3, h3), v3.ref && a4.push(v3.ref, v3.__c || w3, v3)), d3 = d3 || w3, 4 & v3.__u ? (l3 = A(v3, l3, n2, !h3.__v), h3.__e && (h3.__e = null)) : "function" == typeof v3.type && void 0 !== _3 ? l3 = _3 : w3 && (l3 = w3.nextSibling), v3.__u &= -21);
  return r3.__e = d3, l3;
}
function q(n2, t3, r3, u3, i3) {
  var f4, o4, e3, l3, c3, a4, s3, p3, y3, v3 = r3.length, d3 = v3, _3 = 0, g3 = 0, k2 = n2.__k = Array(i3);
  for (f4 = 0; f4 < i3; f4++) null != (o4 = t3[f4]) && "boolean" != typeof o4 && "function" != typeof o4 ? ("object" != typeof o4 || o4.constructor === String ? o4 = k2[f4] = m(null, o4) : w(o4) ? o4 = k2[f4] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f4] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f4] = o4, l3 = f4 + _3, o4.__ = n2, o4.__b = n2.__b + 1, e3 = null, ~(c3 = o4.__i = P(o4, r3, l3, d3)) && (d3--, (e3 = r3[c3]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c3 == l3 - 1 ? _3-- : c3 == l3 + 1 ? _3++ : c3 != l3 && (c3 > l3 ? _3-- : _3++, g3 = 1)) : (~c3 || (i3 > v3 ? _3-- : i3 < v3 && _3++), "function" != typeof o4.type && (o4.__u |= 4))) : k2[f4] = null;
  if (g3) {
    for (a4 = [], s3 = [], f4 = 0; f4 < i3; f4++) if ((o4 = k2[f4]) && 16 & o4.__u) {
      for (_3 = 0, p3 = a4.length; _3 < p3; ) a4[y3 = _3 + p3 >> 1] < o4.__i ? _3 = y3 + 1 : p3 = y3;
      a4[_3] = o4.__i, s3[f4] = _3 + 1;
    }
    for (_3 = a4.length; f4--; ) s3[f4] && (s3[f4] == _3 ? _3-- : k2[f4].__u |= 4);
  }
  if (d3) for (f4 = 0; f4 < v3; f4++) !(e3 = r3[f4]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n2, t3, r3, u3) {
  var i3, f4, o4, e3;
  if ("function" == typeof n2.type) {
    if (n2.props.__P) return t3;
    if (i3 = n2.__k) for (f4 = 0; f4 < i3.length; f4++) i3[f4] && (i3[f4].__ = n2, t3 = A(i3[f4], t3, r3, false));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n2)) && !t3.parentNode && (t3 = null), o4 = n2.__e, e3 = t3; e3 && 8 == e3.nodeType; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r3.moveBefore && o4.parentNode ? r3.moveBefore(o4, t3) : r3.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && 8 == t3.nodeType && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n2, t3, r3, u3) {
  var i3, f4 = n2.key, o4 = n2.type, e3 = t3[r3], l3 = e3 && !(2 & e3.__u);
  if (null === e3 && null == f4 || l3 && f4 == e3.key && o4 == e3.type) return r3;
  if (u3 > (l3 ? 1 : 0)) {
    for (i3 = r3 - 1; i3 >= 0; i3--) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
    for (i3 = r3 + 1; i3 < t3.length; i3++) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
  }
  return -1;
}
function T(n2, t3, r3) {
  null == r3 && (r3 = ""), "-" == t3[0] ? n2.setProperty(t3, r3) : n2[t3] = r3;
}
function N(n2, t3, r3, u3, i3) {
  var f4, o4;
  if ("style" == t3) if ("string" == typeof r3) n2.style.cssText = r3;
  else {
    if ("string" == typeof u3 && (n2.style.cssText = u3 = ""), u3) for (t3 in u3) r3 && t3 in r3 || T(n2.style, t3);
    if (r3) for (t3 in r3) u3 && r3[t3] == u3[t3] || T(n2.style, t3, r3[t3]);
  }
  else if ("o" == t3[0] && "n" == t3[1]) "function" != typeof r3 && (r3 = null), "function" != typeof u3 && (u3 = null), (n2.__e || (n2.__e = {}))[t3] = r3, r3 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n2.__a || (n2.__a = {}))[t3] = c, f4 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r3 ? n2.addEventListener(t3, o4, f4) : n2.removeEventListener(t3, o4, f4));
  else {
    if ("http://www.w3.org/2000/svg" == i3) t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t3 && "height" != t3 && "href" != t3 && "list" != t3 && "form" != t3 && "tabIndex" != t3 && "download" != t3 && "rowSpan" != t3 && "colSpan" != t3 && "role" != t3 && "popover" != t3 && t3 in n2) try {
      return void (n2[t3] = null == r3 ? "" : r3);
    } catch (n3) {
    }
    if ("function" == typeof r3) return;
    null == r3 || false === r3 && "-" != t3[4] ? n2.removeAttribute(t3) : n2.setAttribute(t3, "popover" == t3 && 1 == r3 ? "" : r3);
  }
}
function V(t3) {
  return function(r3) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], null == r3[e]) r3[e] = c++;
      else if (r3[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r3) : r3);
    }
  };
}
function z(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, p3, v3, d3, k2, b2, m3, M, C3, j2, L2, H3, q2, A3, O, P3, T3, N2, V2 = r3.type;
  if (r3.constructor !== h) return null;
  128 & u3.__u && (c3 = 32 & u3.__u, s3 = u3.__c.__z) && (r3.__u |= c3, p3 = o4 = [], 8 == s3.nodeType ? l3 = B(s3, o4) : o4.push(s3), l3 = o4[0] || l3), (s3 = n.__b) && s3(r3);
  n: if ("function" == typeof V2) {
    v3 = e3.length;
    try {
      if (M = r3.props, C3 = (s3 = V2.prototype) && s3.render, j2 = (s3 = V2.contextType) && i3[s3.__c], L2 = s3 ? j2 ? j2.props.value : s3.__ : i3, (d3 = u3.__c) ? (r3.__c = d3, 2 & d3.__g && (d3.__g |= 1)) : (C3 ? r3.__c = d3 = new V2(M, L2) : (r3.__c = d3 = new x(M, L2), d3.constructor = V2, d3.render = K), j2 && j2.sub(d3), d3.state || (d3.state = {}), d3.__n = i3, d3.__g |= 8, d3.__h = [], d3.__k = []), C3 && (d3.__s || (d3.__s = d3.state), V2.getDerivedStateFromProps && (d3.__s == d3.state && (d3.__s = _({}, d3.__s)), _(d3.__s, V2.getDerivedStateFromProps(M, d3.__s)))), k2 = d3.props, b2 = d3.state, d3.__v = r3, u3.__c) {
        if (M !== k2 && C3 && !V2.getDerivedStateFromProps && d3.componentWillReceiveProps && d3.componentWillReceiveProps(M, L2), r3.__v == u3.__v && !(8 & d3.__g) || !(4 & d3.__g) && d3.shouldComponentUpdate && false === d3.shouldComponentUpdate(M, d3.__s, L2)) {
          r3.__v != u3.__v && (d3.props = M, d3.state = d3.__s, d3.__g &= -9), r3.__e = u3.__e, r3.__k = u3.__k, r3.__k.some(function(n2) {
            n2 && (n2.__ = r3);
          }), y.push.apply(d3.__h, d3.__k), d3.__k = [], d3.__h.length && e3.push(d3), l3 = S(u3);
          break n;
        }
        d3.componentWillUpdate && d3.componentWillUpdate(M, d3.__s, L2), C3 && d3.componentDidUpdate && d3.__h.push(function() {
          d3.componentDidUpdate(k2, b2, m3);
        });
      } else C3 && !V2.getDerivedStateFromProps && d3.componentWillMount && d3.componentWillMount(), C3 && d3.componentDidMount && d3.__h.push(d3.componentDidMount);
      d3.context = L2, d3.props = M, d3.__P = t3, d3.__g &= -5, H3 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d3.__g &= -9, H3 && H3(r3), s3 = d3.render(d3.props, d3.state = d3.__s, d3.context);
      } while (8 & d3.__g && ++q2 < 25);
      C3 && (y.push.apply(d3.__h, d3.__k), d3.__k = []), d3.state = d3.__s, d3.getChildContext && (i3 = _({}, i3, d3.getChildContext())), C3 && u3.__c && d3.getSnapshotBeforeUpdate && (m3 = d3.getSnapshotBeforeUpdate(k2, b2)), A3 = s3 && s3.type === $ && null == s3.key ? s3.props.children : s3, M.__P && (s3 = l3, f4 = (t3 = M.__P).namespaceURI, c3 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n2) {
        n2 && J(n2, n2);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r3, u3, i3, f4, o4, e3, l3, c3, a4), M.__P && (r3.__e = null, l3 = s3), r3.__u &= -161, p3 && p3.some(g), d3.__h.length && e3.push(d3), 1 & d3.__g && (d3.__g &= -4);
    } catch (t4) {
      if (e3.length = v3, r3.__v = null, c3 || o4) if (t4 && t4.then) {
        if (r3.__u |= 128 | c3, o4) {
          for (~(T3 = o4.indexOf(l3 || void 0)) || (T3 = o4.length); (N2 = o4[T3 - 1]) && 8 == N2.nodeType; ) T3--;
          for (; T3 < o4.length; T3++) if (N2 = o4[T3]) if (o4[T3] = null, O) {
            if (N2 == P3) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P3 = B(O = N2));
          }
        }
        if (!O) {
          for (; l3 && 8 == l3.nodeType && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s3 = B(O = r3.__c.__z || (r3.__c.__z = O))) ? (r3.__e = O, l3 = s3) : r3.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r3.__e = u3.__e;
      r3.__k || (r3.__k = u3.__k || []), t4 && t4.then || D(r3), n.__e(t4, r3, u3);
    }
  } else l3 = r3.__e = F(u3.__e, r3, u3, i3, f4, o4, e3, c3, a4, t3);
  return (s3 = n.diffed) && s3(r3), l3;
}
function B(n2, t3) {
  if (n2 && 8 == n2.nodeType && n2.data.startsWith("$s")) for (var r3 = 1; n2 = n2.nextSibling; ) {
    if (8 == n2.nodeType) {
      if (n2.data.startsWith("$s")) r3++;
      else if (n2.data.startsWith("/$s") && !--r3) return n2;
    }
    t3 && t3.push(n2);
  }
}
function D(n2) {
  n2 && (n2.__c && (n2.__c.__g |= 4), n2.__k && n2.__k.some(D));
}
function E(t3, r3, u3) {
  for (var i3 = 0; i3 < u3.length; ) G(u3[i3++], u3[i3++], u3[i3++]);
  n.__c && n.__c(r3, t3), t3.some(function(r4) {
    try {
      t3 = r4.__h, r4.__h = [], t3.some(function(n2) {
        n2.call(r4);
      });
    } catch (t4) {
      n.__e(t4, r4.__v);
    }
  });
}
function F(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, y3, _3, k2, b2, m3, M, $2 = u3.props || p, x2 = r3.props, C3 = r3.type;
  if ("svg" == C3 ? f4 = "http://www.w3.org/2000/svg" : "math" == C3 ? f4 = "http://www.w3.org/1998/Math/MathML" : f4 || (f4 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s3 = 0; s3 < o4.length; s3++) if ((k2 = o4[s3]) && (C3 ? k2.localName == C3 : 3 == k2.nodeType)) {
      t3 = k2, o4[s3] = null;
      break;
    }
  }
  if (!t3) {
    if (M = a4.ownerDocument || document, !C3) return M.createTextNode(x2);
    t3 = M.createElementNS(f4, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r3, o4), l3 = false), o4 = null;
  }
  if (C3) {
    if (a4 = "template" == C3 && t3.content || t3, o4 = "textarea" == C3 && null != x2.defaultValue ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s3 = 0; s3 < t3.attributes.length; s3++) $2[(k2 = t3.attributes[s3]).name] = k2.value;
    for (s3 in $2) k2 = $2[s3], "dangerouslySetInnerHTML" == s3 ? y3 = k2 : "children" == s3 || s3 in x2 || "value" == s3 && "defaultValue" in x2 || "checked" == s3 && "defaultChecked" in x2 || N(t3, s3, null, k2, f4);
    for (s3 in x2) k2 = x2[s3], "children" == s3 ? _3 = k2 : "dangerouslySetInnerHTML" == s3 ? h3 = k2 : "value" == s3 ? b2 = k2 : "checked" == s3 ? m3 = k2 : l3 && "function" != typeof k2 || $2[s3] === k2 || N(t3, s3, k2, $2[s3], f4);
    h3 ? (l3 || y3 && (h3.__html == y3.__html || h3.__html == t3.innerHTML) || (t3.innerHTML = h3.__html), r3.__k = []) : (y3 && (t3.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f4 && v.test(C3)) && (f4 = "http://www.w3.org/1999/xhtml"), I(a4, w(_3) ? _3 : [_3], r3, u3, i3, f4, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c3), o4 && o4.some(g)), l3 && "textarea" != C3 || (s3 = "value", "progress" == C3 && null == b2 ? t3.removeAttribute(s3) : null == b2 || b2 === t3[s3] && ("progress" != C3 || b2) || N(t3, s3, b2, $2[s3], f4), s3 = "checked", null != m3 && m3 != t3[s3] && N(t3, s3, m3, $2[s3], f4));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r3, u3, i3) {
  try {
    "function" == typeof t3 ? r3 ? r3.__x = t3(r3) || 1 : i3 && (i3 = i3.__c || i3.__e) && (r3 = i3.__x) && (i3.__x = null, "function" == typeof r3 ? r3() : t3(null)) : t3.current = r3;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r3, u3) {
  var i3, f4, o4, e3;
  if (n.unmount && n.unmount(t3), !(i3 = t3.ref) || i3.current && i3.current != t3.__e || G(i3, null, r3, t3), i3 = t3.__c) {
    if (i3.componentWillUnmount) try {
      i3.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r3);
    }
    i3.__P = i3.__n = null;
  }
  if (i3 = t3.__k) for (e3 = 0; e3 < i3.length; e3++) i3[e3] && J(i3[e3], r3, "function" != typeof t3.type || u3 && !t3.props.__P);
  !u3 && (i3 = t3.__c) && (i3 = i3.__z) && (f4 = B(i3, o4 = [])) && (i3 == t3.__e && o4.some(g), g(f4), g(i3)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n2, t3, r3) {
  return this.constructor(n2, r3);
}
function Q(t3, r3) {
  var u3, i3, f4, o4;
  n.__ && n.__(t3, r3), 9 == r3.nodeType && (r3 = r3.documentElement), i3 = (u3 = t3 && 32 & t3.__u) ? null : r3.__k, r3.__k = m($, { children: [t3] }), f4 = [], o4 = [], z(r3, r3.__k, i3 || p, p, r3.namespaceURI, i3 ? null : r3.firstChild ? d.call(r3.childNodes) : null, f4, i3 ? i3.__e : r3.firstChild, u3, o4), E(f4, r3.__k, o4), r3.__k.props.children = null;
}
n = { __e: function(n2, t3, r3, u3) {
  for (var i3, o4, e3; t3 = t3.__; ) if ((i3 = t3.__c) && !(1 & i3.__g)) {
    i3.__g |= 4;
    try {
      if ((e3 = (o4 = i3.constructor) && o4.getDerivedStateFromError) && i3.setState(o4.getDerivedStateFromError(n2)), i3.componentDidCatch && (i3.componentDidCatch(n2, u3 || {}), e3 = 1), e3 && 8 & i3.__g) return void (i3.__g |= 2);
    } catch (t4) {
      n2 = t4;
    }
  }
  throw f = 0, n2;
} }, t = 0, r = function(n2) {
  return null != n2 && n2.constructor === h;
}, x.prototype.setState = function(n2, t3) {
  var r3 = this.__s;
  r3 && r3 != this.state || (r3 = this.__s = _({}, this.state)), "function" == typeof n2 && (n2 = n2(_({}, r3), this.props)), n2 && (_(r3, n2), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n2) {
  this.__v && (this.__g |= 4, n2 && this.__h.push(n2), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n2, t3) {
  return n2.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// src/base.ts
var CONSOLE = new URL(".", document.baseURI);
var ROOT = new URL("..", CONSOLE);
var FRAMERS = document.querySelector('meta[name="orgmem-framers"]')?.content.split(" ").filter(Boolean);
var isEmbedded = FRAMERS !== void 0;
function ofServer(path) {
  return new URL(path.replace(/^\//, ""), ROOT).href;
}

// src/api/http.ts
var Failure = class extends Error {
  /** The HTTP status; 0 without a response. */
  status;
  problem;
  /** From `Retry-After`, in seconds. */
  retryAfter;
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? "the server did not answer");
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
  /** Whether a retry may succeed. */
  get isTransient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
  /** An extension member of the problem document. */
  more(name) {
    return this.problem[name];
  }
};
var tokenProvider;
function setTokenProvider(provider) {
  tokenProvider = provider;
}
var sessionEndListener = () => {
};
function onSessionEnd(listener) {
  sessionEndListener = listener;
}
async function api(path, options = {}) {
  const response = await send(path, options);
  const text2 = await response.text();
  if (!response.ok) throw failureOf(response, text2);
  return {
    data: text2 === "" ? void 0 : JSON.parse(text2),
    etag: response.headers.get("ETag") ?? void 0,
    next: nextOf(response.headers.get("Link"))
  };
}
async function send(path, options) {
  const headers = { Accept: "application/json" };
  const method = options.method ?? "GET";
  if (method !== "GET") headers["X-Orgmem-Console"] = "1";
  if (options.ifMatch !== void 0) headers["If-Match"] = options.ifMatch;
  const init = { method, credentials: "same-origin" };
  if (options.body !== void 0) {
    headers["Content-Type"] = options.type ?? "application/json";
    init.body = options.type === void 0 ? JSON.stringify(options.body) : String(options.body);
  }
  if (options.signal) init.signal = options.signal;
  return fetchWithToken(path, headers, init);
}
async function* streamText(path, signal) {
  const headers = { Accept: "text/event-stream" };
  const response = await fetchWithToken(path, headers, { credentials: "same-origin", cache: "no-store", signal });
  if (!response.ok) throw failureOf(response, await response.text());
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reader?.read().catch((error) => connectionLost(signal, error));
  for (let chunk = await next(); chunk && !chunk.done; chunk = await next()) yield chunk.value;
}
function connectionLost(signal, error) {
  if (signal?.aborted) throw error;
  throw new Failure(0, {});
}
async function fetchWithToken(path, headers, init) {
  try {
    if (!tokenProvider) return await fetch(ofServer(path), { ...init, headers });
    for (; ; ) {
      const token = await tokenProvider.token(init.signal ?? void 0);
      const own = { ...headers, Authorization: `Bearer ${token}` };
      const response = await fetch(ofServer(path), { ...init, headers: own, credentials: "omit" });
      if (response.status !== 401) {
        tokenProvider.onAccepted(token);
        return response;
      }
      tokenProvider.onRejected(token, problemOf(await response.text()));
    }
  } catch (error) {
    return connectionLost(init.signal, error);
  }
}
function failureOf(response, text2) {
  const problem = problemOf(text2);
  if (response.status === 401) sessionEndListener();
  const wait = Number(response.headers.get("Retry-After"));
  return new Failure(response.status, problem, wait > 0 ? wait : void 0);
}
function problemOf(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return {};
  }
}
function nextOf(link) {
  return /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
}
function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
function asFailure(error) {
  if (error instanceof Failure) return error;
  throw error;
}

// src/embed/host-token.ts
var READY = "orgmem:ready";
var ENDED = "orgmem:token-ended";
var TOKEN = "orgmem:token";
var RETRY_DELAYS_S = [5, 10, 30];
var TOKEN_FORMAT = /^[\w.~+/=-]+$/;
var HostToken = class {
  /** The server's reason for rejecting the last token. */
  rejection;
  current;
  rejected;
  wasAccepted = false;
  requests = 0;
  timer;
  waiting = /* @__PURE__ */ new Set();
  listeners = /* @__PURE__ */ new Set();
  /** Whether there is a token that the server has not rejected. */
  get hasToken() {
    return this.current !== void 0;
  }
  /** Starts listening to the host page, and requests a token from it. */
  start() {
    addEventListener("message", (event) => {
      if (event.source !== parent || !FRAMERS?.includes(event.origin)) return;
      const { type, token } = event.data ?? {};
      if (type === TOKEN && typeof token === "string" && TOKEN_FORMAT.test(token)) this.accept(token);
    });
    this.requestToken();
  }
  async token(signal) {
    signal?.throwIfAborted();
    if (this.current !== void 0) return this.current;
    return new Promise((resolve, reject) => {
      const onToken = (token) => {
        signal?.removeEventListener("abort", onAbort);
        resolve(token);
      };
      const onAbort = () => {
        this.waiting.delete(onToken);
        reject(signal?.reason);
      };
      this.waiting.add(onToken);
      signal?.addEventListener("abort", onAbort);
    });
  }
  onAccepted(token) {
    if (token === this.current) this.wasAccepted = true;
  }
  onRejected(token, { detail }) {
    if (token !== this.current) return;
    this.current = void 0;
    this.rejected = token;
    this.rejection = detail;
    if (this.wasAccepted) this.requestToken();
    else this.scheduleRequest();
    this.notify();
  }
  listen(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  accept(token) {
    if (token === this.rejected || token === this.current) return;
    clearTimeout(this.timer);
    this.current = token;
    this.rejection = void 0;
    this.requests = 0;
    this.wasAccepted = false;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve(token);
    this.notify();
  }
  /** Requests a token, and repeats the request, because the host page may not listen yet. */
  requestToken() {
    parent.postMessage({ type: this.rejected === void 0 ? READY : ENDED }, "*");
    this.scheduleRequest();
  }
  scheduleRequest() {
    clearTimeout(this.timer);
    const wait = RETRY_DELAYS_S[Math.min(this.requests, RETRY_DELAYS_S.length - 1)] ?? 30;
    this.requests += 1;
    this.timer = setTimeout(() => this.requestToken(), wait * 1e3);
  }
  notify() {
    for (const listener of [...this.listeners]) listener();
  }
};
var hostToken = new HostToken();

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n2, t3) {
  a2.__h && a2.__h(r2, n2, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n2 >= u3.__.length && u3.__.push({}), u3.__[n2];
}
function d2(n2) {
  return f2 = 1, _2(G2, n2);
}
function _2(n2, u3, i3) {
  var f4 = y2(t2++, 2);
  if (f4.t = n2, !f4.__c && (f4.__ = [i3 ? i3(u3) : G2(void 0, u3), function(n3) {
    var t3 = (f4.__N || f4.__)[0], r3 = f4.t(t3, n3);
    o2(t3, r3) || (f4.__N = [r3, f4.__[1]], f4.__c.setState({}));
  }], f4.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c3 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n3, t3, r3) {
      var u4 = this.__H;
      if (!u4) return true;
      var i4 = false, f5 = this.props != n3;
      if (u4.__.some(function(n4) {
        n4.__N && (i4 = true, o2(n4.__[0], n4.__N[0]) || (f5 = true));
      }), c3) {
        var e3 = c3.call(this, n3, t3, r3);
        return i4 ? e3 || f5 : e3;
      }
      return !i4 || f5;
    };
  }
  return f4.__;
}
function A2(n2, u3) {
  var i3 = y2(t2++, 3);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = true, i3.__ = n2, i3.u = u3, r2.__H.__h.push(i3));
}
function F2(n2, u3) {
  var i3 = y2(t2++, 4);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = false, i3.__ = n2, i3.u = u3, r2.__h.push(i3));
}
function T2(n2) {
  return f2 = 5, w2(function() {
    return { current: n2 };
  }, []);
}
function w2(n2, r3) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r3) && (u3.__ = n2(), u3.__H = r3), u3.__;
}
function b(n2, t3) {
  return f2 = 8, w2(function() {
    return n2;
  }, t3);
}
function P2() {
  var n2 = y2(t2++, 11);
  if (!n2.__) {
    for (var u3 = r2.__v; !u3.__m && u3.__; ) u3 = u3.__;
    var i3 = u3.__m || (u3.__m = [0, 0]);
    n2.__ = "P" + i3[0] + "-" + i3[1]++;
  }
  return n2.__;
}
function g2() {
  var n2;
  do {
    for (; n2 = e2.shift(); ) try {
      C2(n2);
    } catch (t4) {
      a2.__e(t4, { __: (n2 = n2.__P) && n2.__v });
    }
    for (; n2 = c2.shift(); ) {
      var t3 = n2.__H;
      if (n2.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r3) {
        t3.__h = [], a2.__e(r3, n2.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n2) {
  r2 = null, v2 && v2(n2);
}, a2.__ = function(n2, t3) {
  n2 && t3.__k && t3.__k.__m && (n2.__m = t3.__k.__m), p2 && p2(n2, t3);
}, a2.__r = function(n2) {
  l2 && l2(n2), t2 = 0;
  var i3 = (r2 = n2.__c).__H;
  i3 && (u2 == r2 ? r2.__h = [] : (i3.__h.some(C2), i3.__h.some(D2), t2 = 0), i3.__h = [], i3.__.some(function(n3) {
    n3.__N && (n3.__ = n3.__N), n3.u = n3.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n2) {
  m2 && m2(n2);
  var t3 = n2.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n3) {
    n3.u && (n3.__H = n3.u);
  })), u2 = r2 = null;
}, a2.__c = function(n2, t3) {
  t3.some(function(n3) {
    try {
      n3.__h.some(C2), n3.__h = n3.__h.filter(function(n4) {
        return !n4.__ || D2(n4);
      });
    } catch (t4) {
      n3.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n2, t3);
}, a2.unmount = function(n2) {
  s2 && s2(n2);
  var t3, r3, u3 = n2.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (void 0 === r3) {
          for (r3 = n2.__; r3 && (!r3.__c || !r3.__c.__P); ) r3 = r3.__;
          r3 = r3 && r3.__c;
        }
        u4.__P = r3, B2(e2.push(u4));
      } else C2(u4);
    } catch (n3) {
      t3 = n3;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = "function" == typeof requestAnimationFrame;
function z2(n2) {
  var t3, r3 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n2);
  }, u3 = setTimeout(r3, 35);
  k && (t3 = requestAnimationFrame(r3));
}
function B2(n2) {
  1 != n2 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n2) {
  var t3 = r2, u3 = n2.__c;
  "function" == typeof u3 && (n2.__c = void 0, u3()), r2 = t3;
}
function D2(n2) {
  var t3 = r2;
  n2.__c = n2.__(), r2 = t3;
}
function E2(n2, t3) {
  return !n2 || n2.length != t3.length || t3.some(function(t4, r3) {
    return !o2(t4, n2[r3]);
  });
}
function G2(n2, t3) {
  return "function" == typeof t3 ? t3(n2) : t3;
}

// src/api/calls.ts
function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== void 0 && value !== "");
  const text2 = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text2 === "" ? "" : `?${text2}`;
}
var endpoint = {
  me: "/me",
  version: "/version",
  ready: "/readyz",
  stats: "/admin/stats",
  orgs: "/admin/tree",
  demo: "/orgs/demo",
  tokens: (id, parameters = {}) => `/workspaces/${id}/tokens${query(parameters)}`,
  workspaces: (parameters) => `/workspaces${query(parameters)}`,
  workspace: (id) => `/workspaces/${id}`,
  tree: (id, depth) => `/workspaces/${id}/tree${query({ depth })}`,
  reach: (id) => `/workspaces/${id}/reach`,
  relation: (id, other) => `/workspaces/${id}/reach/${other}`,
  memories: (id, parameters = {}) => `/workspaces/${id}/memories${query(parameters)}`,
  memory: (id, memory) => `/workspaces/${id}/memories/${memory}`,
  count: (id, parameters = {}) => `/workspaces/${id}/memories/count${query(parameters)}`,
  why: (id, memory, q2) => `/workspaces/${id}/memories/${memory}/why${query({ q: q2 })}`,
  access: (id, parameters = {}) => `/workspaces/${id}/access-log${query(parameters)}`,
  accessOf: (id, memory, parameters = {}) => `/workspaces/${id}/memories/${memory}/access-log${query(parameters)}`,
  verify: (id, cursor) => `/workspaces/${id}/access-log/verify${query({ cursor })}`,
  events: (id, parameters = {}) => `/workspaces/${id}/events${query(parameters)}`,
  history: (id, memory) => `/workspaces/${id}/memories/${memory}/history`,
  entries: (id, parameters = {}) => `/workspaces/${id}/memory${query(parameters)}`,
  entry: (id, key) => `/workspaces/${id}/memory/${encodeURIComponent(key)}`,
  session: (id, parameters = {}) => `/workspaces/${id}/session-search${query(parameters)}`,
  profiles: (id) => `/workspaces/${id}/profiles`,
  profile: (id, profile) => `/workspaces/${id}/profiles/${profile}`,
  runs: (id, parameters = {}) => `/workspaces/${id}/runs${query(parameters)}`,
  run: (id, run2, parameters = {}) => `/workspaces/${id}/runs/${run2}${query(parameters)}`,
  activity: (id, parameters = {}) => `/workspaces/${id}/activity${query(parameters)}`
};
function commitMemory(id, memory) {
  return api(endpoint.memories(id), { method: "POST", body: memory });
}
function editMemory(id, memory, change, version) {
  return api(endpoint.memory(id, memory), { method: "PATCH", body: change, ifMatch: `"${version}"` });
}
function restoreMemory(id, memory, version, now) {
  const body = { version };
  return api(`${endpoint.memory(id, memory)}/restore`, { method: "POST", body, ifMatch: `"${now}"` });
}
function redactMemory(id, memory, body) {
  return api(`${endpoint.memory(id, memory)}/redact`, { method: "POST", body });
}
function dryRunRedaction(id, memory, signal) {
  const body = { reason: "to be said" };
  return api(`${endpoint.memory(id, memory)}/redact${query({ dry_run: "true" })}`, { method: "POST", body, signal });
}
function redactMemories(id, body) {
  return api(`${endpoint.memories(id)}/redact`, { method: "POST", body });
}
function deleteMemory(id, memory) {
  return api(endpoint.memory(id, memory), { method: "DELETE" });
}
function putEntry(id, entry) {
  return api(endpoint.entries(id), { method: "POST", body: entry });
}
function deleteEntry(id, key) {
  return api(endpoint.entry(id, key), { method: "DELETE" });
}
function createProfile(id, profile) {
  return api(endpoint.profiles(id), { method: "POST", body: profile });
}
function patchProfile(id, profile, change) {
  return api(endpoint.profile(id, profile), { method: "PATCH", body: change });
}
function dryRunProfile(id, profile, wanted, signal) {
  const [method, path] = profile === void 0 ? ["POST", endpoint.profiles(id)] : ["PATCH", endpoint.profile(id, profile)];
  return api(`${path}${query({ dry_run: "true" })}`, { method, body: wanted, ...signal ? { signal } : {} });
}
function deleteProfile(id, profile) {
  return api(endpoint.profile(id, profile), { method: "DELETE" });
}
function injectContext(id, body) {
  return api(`${endpoint.workspace(id)}/context`, { method: "POST", body });
}
function finishRun(id, run2, body) {
  return api(`${endpoint.run(id, run2)}/finish`, { method: "POST", body });
}
function createWorkspace(workspace) {
  return api("/workspaces", { method: "POST", body: workspace });
}
function importOrg(document2, type, isDryRun) {
  const path = `/orgs/import${query({ dry_run: isDryRun ? "true" : void 0 })}`;
  return api(path, { method: "POST", body: document2, type });
}
function patchWorkspace(id, change) {
  return api(endpoint.workspace(id), { method: "PATCH", body: change });
}
function dryRunMove(id, parent_id, signal) {
  return api(`${endpoint.workspace(id)}${query({ dry_run: "true" })}`, { method: "PATCH", body: { parent_id }, signal });
}
function dryRunRemoval(id, children, signal) {
  return api(`${endpoint.workspace(id)}${query({ children, dry_run: "true" })}`, { method: "DELETE", signal });
}
function removeWorkspace(id, children) {
  return api(`${endpoint.workspace(id)}${query({ children })}`, { method: "DELETE" });
}
function issueToken(id, body) {
  return api(endpoint.tokens(id), { method: "POST", body });
}
function revokeTokens(id) {
  return api(endpoint.tokens(id), { method: "DELETE" });
}
function dryRunRevocation(id, signal) {
  return api(`${endpoint.tokens(id)}${query({ dry_run: "true" })}`, { method: "DELETE", signal });
}
function revokeToken(jti) {
  return api(`/tokens/${jti}`, { method: "DELETE" });
}
function signIn(proof) {
  return api("/console/session", { method: "POST", body: proof });
}
function signOut() {
  return api("/console/session", { method: "DELETE" });
}

// src/api/resource.ts
var MAX_UNUSED = 60;
var FRESH_MS = 1e3;
var RETRY_DELAYS_S2 = [1, 2, 5, 10, 30];
var NOTHING = {
  data: void 0,
  etag: void 0,
  next: void 0,
  failure: void 0,
  isLoading: false,
  at: void 0
};
var CacheEntry = class {
  constructor(path) {
    this.path = path;
  }
  path;
  state = { ...NOTHING };
  listeners = /* @__PURE__ */ new Set();
  request;
  timer;
  failures = 0;
  add(listener) {
    this.listeners.add(listener);
    const { at, isLoading } = this.state;
    const isFresh = at !== void 0 && Date.now() - at < FRESH_MS;
    if (!isLoading && !isFresh) void this.load();
  }
  remove(listener) {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = void 0;
    this.state = { ...this.state, isLoading: false };
  }
  async load() {
    clearTimeout(this.timer);
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.set({ isLoading: true });
    try {
      const response = await api(this.path, { signal: request.signal });
      this.failures = 0;
      this.onResponse(response);
    } catch (error) {
      if (isAbort(error)) return;
      this.onFailure(asFailure(error));
    }
  }
  onResponse({ data, etag, next }) {
    this.set({ data, etag, next, failure: void 0, isLoading: false, at: Date.now() });
  }
  onFailure(failure) {
    this.set({ failure, isLoading: false });
    if (!failure.isTransient) return;
    const wait = failure.retryAfter ?? RETRY_DELAYS_S2[Math.min(this.failures, RETRY_DELAYS_S2.length - 1)] ?? 30;
    this.failures += 1;
    this.timer = setTimeout(() => void this.load(), wait * 1e3);
  }
  set(change) {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
};
var entries = /* @__PURE__ */ new Map();
function entryFor(path) {
  const found = entries.get(path) ?? new CacheEntry(path);
  entries.delete(path);
  entries.set(path, found);
  if (entries.size > MAX_UNUSED) evictOldest();
  return found;
}
function evictOldest() {
  for (const [path, entry] of entries) {
    if (entries.size <= MAX_UNUSED) return;
    if (entry.listeners.size === 0) entries.delete(path);
  }
}
function useResource(path) {
  const [, redraw] = d2(0);
  const entry = path === void 0 ? void 0 : entryFor(path);
  A2(() => {
    if (!entry) return;
    const listener = () => redraw((count2) => count2 + 1);
    entry.add(listener);
    listener();
    return () => entry.remove(listener);
  }, [entry]);
  if (!entry) return NOTHING;
  const { state } = entry;
  const isFirst = state.data === void 0 && state.failure === void 0;
  return { ...state, isLoading: state.isLoading || isFirst };
}
function refresh(path) {
  void entries.get(path)?.load();
}
function invalidate(matches) {
  for (const [path, entry] of [...entries]) {
    if (!matches(path)) continue;
    if (entry.listeners.size > 0) void entry.load();
    else entries.delete(path);
  }
}
function invalidateWorkspace(id) {
  invalidate((path) => path.startsWith(`/workspaces/${id}`));
}
function invalidateAll() {
  invalidate(() => true);
}

// src/frame/title.ts
function useTitle(...parts2) {
  const title = [...parts2.filter(Boolean), "orgmem"].join(" · ");
  A2(() => {
    document.title = title;
  }, [title]);
}

// src/strings/plural.ts
var plural = (count2, one, many) => `${count2} ${count2 === 1 ? one : many}`;

// src/strings/access.ts
var ACTIONS = {
  commit_memory: "committed",
  edit_memory: "edited",
  restore_memory: "restored",
  forget_memory: "deleted",
  redact_memory: "redacted",
  scrub_memory: "scrubbed",
  read_memory: "read",
  search_memories: "searched",
  read_history: "read the history",
  explain_memory: "explained recall",
  count_memories: "counted",
  inject_memories: "injected into a prompt",
  summarize_memories: "summarized",
  export_memories: "exported",
  put_entry: "set a key",
  drop_entry: "deleted a key",
  read_entry: "read a key",
  list_entries: "listed keys",
  append_episode: "appended activity",
  list_episodes: "read the activity",
  search_session: "searched the session",
  create_workspace: "created the workspace",
  edit_workspace: "edited the workspace",
  move_workspace: "moved the workspace",
  remove_workspace: "removed the workspace",
  purge_workspace: "purged the workspace",
  erase: "erased",
  change_profile: "changed a profile",
  start_run: "started a run",
  hold_memory: "staged",
  finish_run: "finished a run",
  read_run: "read a run",
  issue_token: "issued a token",
  revoke_token: "revoked a token",
  revoke_tokens: "revoked all tokens",
  watch_events: "watched events",
  read_access_log: "read this log",
  lose_reads: "lost read records",
  trim_access_log: "trimmed old rows"
};
var actions = Object.entries(ACTIONS);
var access = {
  access: {
    title: "Access",
    audit: "Audit",
    which: "Select an org",
    did: (action) => ACTIONS[action] ?? action.replaceAll("_", " "),
    all: "All actions",
    action: "Action",
    anyTime: "Any time",
    times: [
      ["3600", "Last hour"],
      ["86400", "Last day"],
      ["604800", "Last 7 days"],
      ["2592000", "Last 30 days"]
    ],
    time: "Time range",
    who: "Caller, as named in the log",
    subtree: "Include subtree",
    export: "Export as JSONL",
    exporting: (count2) => `${count2} rows so far…`,
    head: { at: "Time", who: "Caller", did: "Action", as: "Workspace", memories: "Memories", seal: "Row" },
    more: (count2) => `${count2} more`,
    waiting: "not sealed yet",
    sealed: "sealed",
    none: (name) => `No activity as ${name} yet`,
    how: "Every write, read, redaction and deletion adds a row here, whichever interface it used.",
    nothingMatches: "No row matches",
    sentences: {
      action: (value) => `action: ${ACTIONS[value] ?? value}`,
      subject: (value) => `by ${value}`,
      memory_id: (value) => `memory ${value.slice(0, 8)}…`,
      run_id: (value) => `run ${value.slice(0, 8)}…`,
      since: (value) => `since ${value}`,
      until: (value) => `until ${value}`
    }
  },
  chain: {
    description: "Rows are sealed into a hash chain, which reveals a changed, removed or reordered row.",
    verify: "Verify now",
    running: (rows) => `${rows} rows checked…`,
    intact: (rows, last) => `Intact: ${plural(rows, "row", "rows")} verified, up to row ${last}.`,
    waiting: (rows) => rows === 0 ? "" : ` ${plural(rows, "row is", "rows are")} not sealed yet.`,
    broken: "Broken"
  }
};

// src/strings/connect.ts
var open = (streams) => `${streams === void 0 ? "– event streams" : plural(streams, "event stream", "event streams")} ${streams === 1 ? "is" : "are"} open on this server`;
var connect = {
  connect: {
    token: "Token",
    client: "Client",
    role: "Role",
    roles: [
      ["agent", "An agent: acts as this workspace"],
      ["viewer", "A viewer: reads it and all below"],
      ["operator", "An operator: acts in it and all below"]
    ],
    lifetime: "Lifetime",
    lifetimes: [
      ["", "Default"],
      ["3600", "1 hour"],
      ["604800", "7 days"],
      ["2592000", "30 days"],
      ["31536000", "1 year"]
    ],
    issue: "Issue a token",
    once: "Shown once.",
    until: (role, when) => `The ${role} token below is not stored. It expires on ${when}.`,
    askAdmin: "Ask an operator or admin for a token for this workspace.",
    variable: "The client reads the token from the variable ORGMEM_TOKEN or prompts for it. Issue a token above to fill it in."
  },
  tokens: {
    title: "Tokens of this workspace",
    description: "Tokens issued here that have not expired. A token is shown once and is not stored; tokens that a platform signs with its own key are not listed.",
    none: "No unexpired token was issued here.",
    subject: "Subject",
    role: "Role",
    issued: "Issued",
    expires: "Expires",
    used: "Last used",
    usedHint: "According to the audit log: reads and writes, but not refused requests.",
    unused: "never",
    revokedMark: "revoked",
    issuers: "Who issued them",
    revokeOne: "Revoke…",
    confirmOne: "Revoke 1 token",
    oneTitle: "Revoke this token",
    oneText: (subject) => `The token of ${subject} stops working at once, wherever it is used. This cannot be undone.`,
    oneEffect: (streams) => `Consoles that are signed in with it are signed out, and its clients are refused. ${open(streams)} now and will close.`,
    revoked: "1 token revoked.",
    revokeAll: "Revoke all tokens",
    allTitle: "Revoke all tokens of this workspace",
    allText: (name) => `Every token issued for ${name} until now stops working at once, including tokens signed with other keys. Clients that act as ${name} then need a new token. This cannot be undone.`,
    allEffect: (tokens, streams) => `${tokens === void 0 ? "– tokens" : plural(tokens, "token", "tokens")} issued here ${tokens === 1 ? "is" : "are"} still valid. Consoles that are signed in with one of them are signed out. ${open(streams)} now and will close.`,
    allRevoked: (name) => `All tokens of ${name} revoked.`
  },
  clients: {
    "claude-code": { name: "Claude Code", where: "Add it to .mcp.json in the project." },
    "claude-desktop": {
      name: "Claude Desktop",
      where: "Add it to claude_desktop_config.json (Settings, Developer, Edit Config), then restart Claude Desktop."
    },
    "cursor": { name: "Cursor", where: "Add it to .cursor/mcp.json in the project, or to ~/.cursor/mcp.json." },
    "vscode": { name: "VS Code", where: "Add it to .vscode/mcp.json in the project." },
    "gemini-cli": { name: "Gemini CLI", where: "Add it to .gemini/settings.json in the project, or to ~/.gemini/settings.json." },
    "codex": { name: "Codex", where: "Add it to ~/.codex/config.toml." },
    "rest": { name: "REST", where: "Run it in a shell." },
    "cli": { name: "Command line", where: "Run it in a shell." }
  }
};

// src/strings/drawer.ts
var A_ROLE = {
  agent: "an agent",
  viewer: "a viewer",
  operator: "an operator",
  admin: "an admin"
};
var drawer = {
  memory: {
    title: "Memory",
    copy: "Copy the content",
    pinned: "pinned",
    standIn: "Replaced before it was stored",
    confidence: "Confidence, 0 to 1",
    confidenceOf: (value) => `confidence ${value.toFixed(2)}`,
    expiresIn: (far) => `expires in ${far}`,
    tags: "Tags",
    provenance: "Provenance",
    author: "Author",
    source: "Source",
    sourceOf: (source, role) => `${source}, written by ${A_ROLE[role]}`,
    written: "Written",
    changed: "Changed",
    version: (version) => `version ${version}`,
    expires: "Expires",
    subject: "Subject",
    session: "Session",
    run: "Run",
    supersedes: "Supersedes",
    rawData: "Raw data",
    json: "All fields as JSON",
    curl: "Fetch from the command line"
  },
  visibility: {
    title: "Why it is visible here",
    sentence: (reader, scope, author, reason) => `${reader} can read ${scope} memories of ${author}: ${reason}.`,
    bound: "It is bound to one team; a workspace that leaves the team can no longer read it.",
    others: (count2) => `${plural(count2, "other workspace", "other workspaces")} can read it`,
    more: (count2) => `${count2} more`,
    nobodyElse: "No other workspace can read it.",
    compare: (one, other) => `Relationship of ${one} and ${other}`
  },
  edit: {
    do: "Edit",
    save: "Save",
    hint: "Saving creates a new version; earlier versions stay in the history.",
    saved: (version) => `Saved as version ${version}.`
  },
  history: {
    title: "History",
    version: (version) => `Version ${version},`,
    current: "– current",
    option: (version, when) => `${version} · ${when}`,
    from: "Compare from",
    to: "Compare to",
    restore: (version) => `Restore version ${version}`,
    restored: (version, now) => `Version ${version} is restored as version ${now}.`
  },
  attributes: {
    do: "Tags, expiry…",
    pin: "Pin",
    unpin: "Unpin",
    save: "Save",
    saved: "Saved.",
    undo: "Undo",
    unchanged: "Unchanged",
    tagsHint: "Separated by commas."
  },
  redact: {
    ask: "Redact…",
    title: (count2) => `Redact ${plural(count2, "memory", "memories")}`,
    do: (count2) => `Redact ${plural(count2, "memory", "memories")}`,
    deleted: "Deleted permanently",
    deletedParts: (earlier) => [
      earlier > 0 ? `The content, and ${plural(earlier, "earlier version", "earlier versions")}` : "The content",
      "Its index entries",
      "The metadata"
    ],
    retained: "Retained",
    retainedParts: ["Its id, author, scope and times", "Who redacted it, when and why", "Hashes in the audit log"],
    affected: (author, names, count2, isOwn) => count2 === 0 ? `Only ${author} can read it; no other workspace is affected.` : `${new Intl.ListFormat("en", { type: "conjunction" }).format([
      ...isOwn ? [] : [author],
      ...names,
      ...count2 > names.length ? [`${count2 - names.length} more`] : []
    ])} will no longer find it. This cannot be undone.`,
    readers: (readers, runs, isPartial) => readers.length === 0 ? `No workspace that you can see has read it${isPartial ? " in the searched part of the log" : " so far"}.` : `Read so far by ${new Intl.ListFormat("en", { type: "conjunction" }).format([
      ...readers.slice(0, 4).map(([name, reads]) => `${name} (${reads} ×)`),
      ...readers.length > 4 ? [`${readers.length - 4} more`] : []
    ])}${runs > 0 ? `, in ${plural(runs, "run", "runs")}` : ""}${isPartial ? "; the list may be incomplete, because the log was not searched to its start" : ""}.`,
    reason: "Reason",
    reasonHint: "Stored permanently and shown to everyone who opens the memory: do not repeat the redacted content.",
    missing: "Enter a reason.",
    done: (count2) => `${plural(count2, "memory", "memories")} redacted.`,
    selected: (count2) => `${plural(count2, "memory", "memories")} selected`,
    clearSelection: "Clear selection",
    refused: (count2) => `${plural(count2, "memory was", "memories were")} refused and ${count2 === 1 ? "stays" : "stay"} selected:`,
    many: (count2) => `The content of ${plural(count2, "memory", "memories")} is deleted permanently, with all earlier versions. Retained: ids, authors, scopes and times, and who redacted them, when and why.`
  },
  deletion: {
    ask: "Delete…",
    title: "Delete this memory",
    do: "Delete 1 memory",
    what: "The content is deleted from every table and index, with all earlier versions. Unlike a redaction, a deletion records no reason; the audit log records who deleted it and when.",
    done: "1 memory deleted."
  },
  causes: {
    found: "Found",
    not_found: "Not found",
    not_readable: "Not readable",
    expired: "Expired",
    redacted: "Redacted",
    deleted: "Deleted",
    superseded: "Superseded",
    pending: "Pending",
    isolated: "Outside the profile’s isolation",
    kind_excluded: "Kind excluded by the profile"
  },
  explain: {
    title: (name) => `Why ${name} recalls a memory, or not`,
    memory: "Memory",
    memoryHint: "Its id, or words of its content.",
    query: "Query",
    queryHint: "The search query; optional.",
    submit: "Explain",
    select: "Select a memory",
    none: (name) => `${name} can read no memory with these words. For a memory that it cannot read, enter the id.`,
    replacement: "The memory that supersedes it",
    open: "Open the memory",
    rank: (rank, found, query2) => `Rank ${rank} of ${found} for “${query2}”`,
    missing: "Something missing? Find out why"
  }
};

// src/strings/embed.ts
var embed = {
  embed: {
    title: (name) => `Memories of ${name}`,
    waiting: "Waiting for the host page to provide a token.",
    ended: (why) => `${why} The host page was asked for a new token; nothing that you typed is lost.`,
    direct: "Embedded view",
    how: "This page shows the memories of a workspace inside another product, which provides the token. Opened directly, it shows nothing.",
    noOrigins: "No page may embed it yet: the setting console.framers is empty.",
    inConsole: "Open this workspace in the console"
  }
};

// src/strings/frame.ts
var frame = {
  signIn: {
    title: "Sign in to orgmem",
    ended: "Your session has ended",
    again: (name) => `You were signed in as ${name}. Sign in again to continue; nothing that you typed is lost.`,
    token: "Token",
    where: "The admin token is in the file admin.token in the server’s data folder; orgmem token issue creates others.",
    do: "Sign in"
  },
  frame: {
    skip: "Skip to the content",
    tree: "Show the tree",
    navigation: "Pages and workspaces",
    path: "Path of this workspace",
    workspaces: "Workspaces",
    filter: "Filter by name",
    clearFilter: "Clear the filter",
    resize: "Width of the tree",
    noWorkspaces: "No workspaces yet",
    noneFound: "No workspace has a matching name",
    found: (count2, hasMore) => hasMore ? `The first ${count2} found` : `${count2} found`,
    memoriesOf: (count2) => count2 === 1 ? "memory" : "memories",
    orgs: (role) => role === "admin" ? "Orgs" : "Workspace"
  },
  account: {
    role: "Role",
    until: "Token expires",
    theme: "Theme",
    themes: [
      ["system", "System"],
      ["light", "Light"],
      ["dark", "Dark"]
    ],
    density: "Density",
    densities: [
      ["dense", "Dense"],
      ["comfortable", "Comfortable"]
    ],
    singleKeys: "Single-letter shortcuts",
    leave: "Sign out",
    endsSoon: (when) => `Session ends ${when}`,
    may: (role, workspace) => ({
      agent: `Acts only as ${workspace ?? "its workspace"}`,
      viewer: `Reads ${workspace ?? "a workspace"} and all below it`,
      operator: `Reads and acts in ${workspace ?? "a workspace"} and all below it`,
      admin: "Full access to this server"
    })[role]
  },
  jump: {
    button: "Search or jump…",
    title: "Jump to",
    label: "Name of a workspace, id of a memory, or page",
    placeholder: "Workspace, id or page",
    results: "Results",
    nothing: "No results",
    page: "Page",
    thisWorkspace: "This workspace",
    workspaceById: "Workspace with this id",
    memoryById: "Memory with this id, as this workspace reads it"
  },
  help: {
    title: "Keyboard shortcuts",
    groups: (mod) => [
      [
        "Everywhere",
        [
          [[`${mod}K`], "Jump to a workspace, memory or page"],
          [["g", "t"], "Go to the tree"],
          [["g", "h"], "Go to the orgs"],
          [["g", "s"], "Go to the system page"],
          [["g", "a"], "Go to the audit page"],
          [["."], "Show new memories"],
          [["?"], "Show these shortcuts"],
          [["Esc"], "Close the top layer, then clear the filter"]
        ]
      ],
      [
        "A workspace",
        [
          [["1", "…", "8"], "Switch the view"],
          [["l"], "Lens: workspaces that it can read"],
          [["⇧L"], "Lens: workspaces that can read it"],
          [["c"], "Compare with another workspace"],
          [["w"], "Write a memory or a key"],
          [["e"], "Edit the open memory (author only)"],
          [["r"], "Redact the open memory or the selection"]
        ]
      ],
      [
        "Lists",
        [
          [["/"], "Search or filter the list"],
          [["j", "↓"], "Next row, also from the search field"],
          [["k", "↑"], "Previous row"],
          [["Enter", "o"], "Open"],
          [["y"], "Copy the id of the open memory"],
          [["x"], "Select; with Shift, select a range"],
          [["p"], "Show the trace of the row’s run or session"]
        ]
      ],
      [
        "The tree",
        [
          [["→"], "Expand, then go to the first child"],
          [["←"], "Collapse, then go to the parent"],
          [["*"], "Expand all siblings"],
          [["Home", "End"], "First and last row"],
          [["a", "…", "z"], "Go to a name"]
        ]
      ]
    ]
  },
  lens: {
    title: "Lens",
    off: "Off",
    reads: "Can read",
    readBy: "Read by",
    sentence: (lens, name) => lens === "reads" ? `Workspaces that ${name} can read` : `Workspaces that can read ${name}`,
    mark: (lens, scopes, reasons) => `${lens === "reads" ? "readable" : "can read"}: ${scopes} – ${reasons}`,
    none: (lens) => lens === "reads" ? "not readable" : "cannot read it"
  },
  live: {
    on: "Live",
    connecting: "Connecting",
    waiting: (seconds2) => `Retry in ${seconds2} s`,
    paused: "Paused",
    title: {
      on: "Changes are shown as they happen.",
      connecting: "Connecting to the event stream.",
      waiting: "The event stream was interrupted and reconnects.",
      paused: "Updates are paused while this page is in the background."
    },
    arrived: (count2, isMore) => `${count2}${isMore ? " or more" : ""} new`,
    announced: (count2, isMore) => isMore ? `${count2} or more new memories` : plural(count2, "new memory", "new memories")
  },
  notFound: { title: "Page not found", why: "There is no page at this address.", home: "Go to the start page" }
};

// src/strings/memories.ts
var memories = {
  memories: {
    search: "Search readable memories",
    select: "Select this memory",
    scope: "Scope",
    allScopes: "All",
    order: "Order",
    listOrders: [
      ["", "Newest first"],
      ["confidence", "Most confident first"]
    ],
    searchOrders: [
      ["", "Best match first"],
      ["recent", "Newest first"],
      ["confidence", "Most confident first"]
    ],
    none: (name) => `${name} can read no memories yet`,
    how: "Memories appear here when an agent commits them, its own or one of its team:",
    nothingMatches: "Nothing matches",
    shown: (count2, hasMore) => `${hasMore ? "The first " : ""}${plural(count2, "memory", "memories")} shown`
  },
  agentView: {
    do: "View as agent",
    hint: "The exact text that the agent receives, in this order; content of other workspaces is quoted",
    via: { self: "own", parent: "from its lead", sibling: "from its team", child: "from its member", org: "from the org" },
    copy: "Copy the text that the agent receives"
  },
  score: {
    of: (score) => `score ${score.toFixed(2)}`,
    similarity: (value) => `similarity ${value.toFixed(2)}`,
    similarityHint: "Cosine similarity of the memory and the query, from -1 to 1",
    parts: "Parts of the score",
    names: {
      words: "Query words",
      pairs: "Adjacent word pairs",
      meaning: "Semantic similarity",
      voice: "Different speaker",
      named_author: "Author named in the query",
      date: "Date named in the query",
      before: "Memory before it",
      after: "Memory after it",
      session: "Best of its session",
      recency: "Recency of its session",
      confidence: "Confidence",
      pin: "Pinned"
    }
  },
  modes: {
    title: "Search mode",
    keyword: [
      ["", "Auto"],
      ["keyword", "Keyword"]
    ],
    withEmbedder: "With an embedder",
    semantic: [
      ["semantic", "Semantic"],
      ["hybrid", "Hybrid"]
    ]
  },
  filters: {
    title: "Filters",
    add: "Filter",
    which: "Field",
    value: "Value",
    remove: "Remove this filter",
    missing: "Enter a value.",
    without: (sentence) => `Without ${sentence}`,
    names: {
      namespace: "Namespace",
      kind: "Kind",
      source: "Source",
      tag: "Tag",
      author: "Author",
      subject: "Subject",
      session_id: "Session",
      run_id: "Run",
      since: "Since",
      until: "Until",
      min_confidence: "Confidence"
    },
    hints: {
      namespace: "The label of the memory.",
      kind: "fact, summary, checkpoint or another word.",
      source: "The origin of the memory.",
      tag: "A whole tag.",
      author: "The id of the workspace that wrote it.",
      subject: "The id of the end user it is about.",
      session_id: "The session in which it was written.",
      run_id: "The id of the run it belongs to.",
      since: "Committed at this time or later.",
      until: "Committed before this time.",
      min_confidence: "Minimum, from 0 to 1."
    },
    sentences: {
      namespace: (value) => `in ${value}`,
      kind: (value) => `kind ${value}`,
      source: (value) => `from ${value}`,
      tag: (value) => `#${value}`,
      author: (value) => `by ${value}`,
      subject: (value) => `about ${value}`,
      session_id: (value) => `session ${value}`,
      run_id: (value) => `run ${value}`,
      since: (value) => `since ${value}`,
      until: (value) => `until ${value}`,
      min_confidence: (value) => `confidence ≥ ${value}`
    }
  },
  audience: {
    none: "Only this workspace can read it.",
    org: (count2) => `Everyone in the org: ${count2} other workspaces.`,
    parent: (name) => name,
    siblings: (count2) => `${count2} siblings`,
    children: (count2) => `${count2} children`,
    list: (parts2) => `Read by ${new Intl.ListFormat("en", { style: "long", type: "conjunction" }).format(parts2)}.`
  },
  write: {
    do: "Write",
    title: (name) => `Write as ${name}`,
    content: "Content",
    scope: "Scope",
    fields: { namespace: "Namespace", kind: "Kind", tags: "Tags", confidence: "Confidence" },
    tagsExample: "one, another",
    expiry: "Expiry",
    saved: "Saved.",
    replaced: (count2, kind) => `${count2} × ${kind}`,
    scrubbed: (what) => `Replaced before it was stored: ${what}.`
  },
  tagging: {
    ask: "Tags…",
    title: (count2) => `Tag ${plural(count2, "memory", "memories")}`,
    add: "Add",
    remove: "Remove",
    do: (count2) => `Tag ${plural(count2, "memory", "memories")}`,
    done: (count2) => `${plural(count2, "memory", "memories")} tagged.`
  }
};

// src/strings/parts.ts
var parts = {
  refresh: "Refresh",
  asOf: "As of",
  cancel: "Cancel",
  close: "Close",
  more: "Show more",
  unknown: "–",
  time: {
    now: "now",
    ago: (far) => `${far} ago`,
    ahead: (far) => `in ${far}`
  },
  copy: { id: "Copy the id", this: "Copy", done: "Copied" },
  states: {
    loading: "Loading",
    offline: "The server does not respond",
    notFound: "Not found",
    failed: "The request failed",
    noResponse: "No response from the server. The page may be out of date.",
    retrying: "Retrying…",
    busy: "The request is retried as soon as the server allows it.",
    request: "Request"
  },
  lifetimes: [
    ["", "Never"],
    ["3600", "In 1 hour"],
    ["86400", "In 1 day"],
    ["604800", "In 7 days"],
    ["2592000", "In 30 days"],
    ["31536000", "In 1 year"]
  ],
  conflict: {
    title: "Edit conflict",
    changed: (version) => `Version ${version} was saved while you were editing. Nothing that you typed is lost.`,
    dropped: "It was deleted or expired while you were editing. Nothing that you typed is lost.",
    theirs: "Theirs",
    mine: "Yours",
    useTheirs: "Use theirs",
    useMine: "Use yours",
    merged: "Result",
    hint: "Edit the result, then save.",
    accept: "Use this result"
  },
  diff: {
    title: "Changes",
    kinds: { same: "", removed: "removed: ", added: "added: " }
  }
};

// src/strings/screens.ts
var screens = {
  tabs: {
    memories: "Memories",
    state: "State",
    timeline: "Timeline",
    reach: "Reach",
    profiles: "Profiles",
    runs: "Runs",
    access: "Access",
    connect: "Connect"
  },
  workspace: {
    absent: "Workspace not found",
    views: "Views of this workspace",
    addChild: "New child workspace",
    name: "Name",
    role: "Role of its agent",
    roleHint: "A few words; optional."
  },
  orgs: {
    title: "Orgs",
    name: "Org",
    created: "Created",
    create: "Create an org",
    none: "No org yet",
    how: "An org is a root workspace and all below it: the agents and their memories.",
    demo: "Load the demo",
    demoText: "The demo is a company of 59 agents. Removing its root workspace removes the demo."
  },
  import: {
    ask: "Import…",
    title: "Import an org",
    file: "File",
    text: "Or its text",
    hint: "YAML or JSON. Existing items are kept. Nothing is imported before you have seen the preview.",
    example: "name: Acme\nchildren:\n  - name: Dev Lead\n    role: Leads the developers\n    children:\n      - name: Coder",
    preview: "Preview import",
    previewTitle: "Import preview",
    isNew: "New",
    existing: "Existing",
    do: (count2) => count2 === 0 ? "Import" : `Import ${plural(count2, "workspace", "workspaces")}`,
    done: (workspaces, memories3) => `${plural(workspaces, "workspace", "workspaces")} and ${plural(memories3, "memory", "memories")} imported.`
  },
  workspaceActions: {
    menu: "Actions",
    rename: "Rename…",
    renameTitle: (name) => `Rename ${name}`,
    save: "Save",
    renamed: (name) => `Renamed to ${name}.`,
    move: "Move…",
    moveTitle: (name) => `Move ${name}`,
    moveTo: "New parent",
    moveHint: "Part of its name. All workspaces below it move too; read access follows the tree at once.",
    moveDo: (count2) => `Move ${plural(count2, "workspace", "workspaces")}`,
    moved: (name, to) => `${name} is now below ${to}.`,
    remove: "Remove…",
    removeTitle: (name) => `Remove ${name}`,
    removeText: (name, memories3) => `${name} stops working at once: its tokens are refused, and ${memories3 === 0 ? "it has no memories" : `its ${plural(memories3, "memory is", "memories are")} no longer readable`}.`,
    below: (count2) => count2 === 1 ? "The workspace below it" : `The ${count2} workspaces below it`,
    promote: "Move up to its parent",
    cascade: "Remove too, with all below",
    removeDo: (count2) => `Remove ${plural(count2, "workspace", "workspaces")}`,
    removed: (name) => `${name} is removed.`
  },
  preview: {
    title: "Effect of this change",
    nothing: "No workspace that you can see gains or loses memories.",
    affected: (count2) => `${plural(count2, "workspace", "workspaces")} would gain or lose memories`,
    more: (count2) => `${plural(count2, "more workspace is", "more workspaces are")} affected.`,
    removed: "removed",
    gains: "gains",
    loses: "loses"
  },
  system: {
    title: "System",
    ready: "The store is ready.",
    checking: "Checking the store…",
    notReady: (why) => `The store is not ready: ${why}.`,
    version: "Version",
    store: "Store",
    stores: { sqlite: "SQLite", postgresql: "PostgreSQL" },
    size: "Size of the database",
    orgs: "Orgs",
    workspaces: "Workspaces",
    memories: "Memories",
    entries: "Keys",
    episodes: "Episodes",
    since: "Up since",
    embedder: "Embedder",
    noEmbedder: "none: keyword search only",
    waiting: "Waiting to be embedded",
    embedded: "Embedded since start",
    refused: "Rejected by the embedder (keyword search only)",
    failed: "Failed calls",
    /** A count at which the server stops counting. */
    many: (count2) => `${count2} or more`,
    /** The length of the queue, its rate, and the time left. */
    queue: (waiting, perSecond, left) => perSecond > 0 ? `${waiting}, ${perSecond.toFixed(1)} a second, ${left} left` : waiting,
    failing: (why) => `The embedder fails: ${why}.`,
    failingAct: (name) => `Until it works again, searches use keywords only and new memories wait for embedding; no data is lost. Check ${name}.`
  }
};

// src/strings/reach.ts
var reach = {
  reach: {
    canRead: (name) => `${name} can read`,
    readBy: (name) => `Can read ${name}`,
    groups: {
      reads: {
        self: "Its own memories",
        parent: "The lead of its team",
        sibling: "Members of the same team",
        child: "Members of the team it leads",
        org: "The org"
      },
      read_by: {
        self: "Itself",
        parent: "Members of the team it leads",
        sibling: "Members of the same team",
        child: "The lead of its team",
        org: "Everyone in the org"
      }
    },
    all: (count2) => `Show all ${count2}`
  },
  compare: {
    title: "Compare",
    pick: "Compare with workspace…",
    end: "End the comparison",
    scope: "Scope",
    reads: (reader, author) => `${reader} reads ${author}`,
    yes: "Yes",
    no: "No",
    diagram: "The path from each workspace up to their common ancestor",
    reverse: (name) => `Compare from ${name}`,
    relation: (relation, one, other) => ({
      itself: `${one} is compared with itself.`,
      parent: `${other} is the parent of ${one}.`,
      child: `${other} is a child of ${one}.`,
      sibling: `${one} and ${other} are siblings.`,
      ancestor: `${other} is an ancestor of ${one}, above its parent.`,
      descendant: `${other} is a descendant of ${one}, below a child.`,
      distant: `${one} and ${other} are in different branches.`
    })[relation]
  }
};

// src/strings/trace.ts
var memories2 = (count2) => plural(count2, "memory", "memories");
var trace = {
  trace: {
    title: "Trace",
    runLink: (id) => `run ${id.slice(-6)}`,
    sessionLink: (session) => `session ${session}`,
    show: "Show the trace",
    run: (label, id) => label ?? `Run ${id.slice(-6)}`,
    session: (session) => `Session ${session}`,
    unknown: "No run of this workspace has this id: it was never started here, or its row was deleted. These are the entries of the audit log.",
    summary: "Summary",
    steps: "Steps",
    counts: {
      recalled: "recalled",
      injected: "injected",
      written: "written",
      pending: "pending",
      committed: "committed",
      dropped: "dropped",
      runs: (count2) => count2 === 1 ? "run" : "runs"
    },
    stepText: ({ action, phase, subject, queryHash, memories: { length } }) => {
      switch (action) {
        case "start_run":
          return `Started by ${subject}`;
        case "search_memories":
          return `${queryHash === void 0 ? "Listed" : "Searched"}: ${memories2(length)} returned`;
        case "search_session":
          return `Session search: ${memories2(length)} returned`;
        case "read_memory":
          return `Read ${memories2(length)}`;
        case "inject_memories":
          return `${memories2(length)} injected into a prompt`;
        case "hold_memory":
          return `${memories2(length)} written, staged until the run ends`;
        case "commit_memory":
          return `${memories2(length)} committed`;
        default: {
          const did = access.access.did(action);
          const what = phase === "other" || length === 0 ? "" : `: ${memories2(length)}`;
          return `${did.charAt(0).toUpperCase()}${did.slice(1)}${what}`;
        }
      }
    },
    by: (subject) => `by ${subject}`,
    memoriesLabel: (phase) => phase === "recalled" ? "Memories returned" : "Memories",
    end: (status, written, dropped) => {
      if (status === "open") return written === 0 ? ": nothing pending" : `: ${memories2(written)} pending, not readable yet`;
      if (status === "completed") return `: ${memories2(written)} committed${dropped === 0 ? "" : `, ${dropped} had expired`}`;
      return dropped === 0 ? ": nothing was written" : `: ${memories2(dropped)} dropped, never readable`;
    },
    empty: "The audit log has no entries for it",
    emptySession: "No entries for this session",
    truncated: (count2) => `Only the last ${count2} entries are shown here; the audit log has all of them.`,
    openRun: "Open the run",
    memories: "Its memories"
  }
};

// src/strings/work.ts
var work = {
  state: {
    prefix: "Filter by key prefix…",
    newKey: "New key",
    title: "Key",
    key: "Key",
    keyHint: "Such as task/current; up to 256 bytes.",
    value: "Value",
    version: "Version",
    versionOf: (version) => `version ${version}`,
    expires: "Expires",
    expiresAt: (when) => `expires ${when}`,
    changed: "Changed",
    asJson: "Saved as JSON.",
    asText: "Saved as text: it is not JSON.",
    ttl: "Expires",
    ttlHint: "Saving without an expiry clears an earlier one.",
    save: "Save",
    saved: (version) => `Saved as version ${version}.`,
    delete: "Delete",
    deleteTitle: "Delete this key",
    deleteText: (key, version, name) => `${key}, version ${version}, of ${name} will be deleted. A key that is set again continues with the next version.`,
    deleted: (key) => `Deleted ${key}.`,
    gone: "The key expired or was deleted. Your text is still here; saving it sets the key again.",
    none: (name) => `${name} has no working state yet`,
    nothingMatches: (prefix) => `No key begins with ${prefix}`,
    how: "Keys appear here when its agent sets them:"
  },
  timeline: {
    search: "Words, prefixes or parts of words",
    kind: "Kind",
    kinds: [
      ["", "All"],
      ["activity", "Activity"],
      ["memory", "Memories"],
      ["reads", "Reads"]
    ],
    orders: [
      ["", "Newest first"],
      ["relevance", "Best match first"]
    ],
    none: (name) => `No activity at ${name} yet`,
    nothingMatches: "Nothing matches",
    how: "The activity and memories of its agent appear here as they happen.",
    request: "Request",
    response: "Response"
  },
  reads: {
    which: "Kind of read",
    kinds: [
      ["search_memories", "Searches and lists"],
      ["inject_memories", "Prompt injections"],
      ["read_memory", "Single memories"],
      ["search_session", "Session searches"]
    ],
    none: (name) => `No reads of this kind as ${name} yet`,
    returned: (action, count2) => action === "inject_memories" ? `${plural(count2, "memory", "memories")} injected into a prompt` : `${plural(count2, "memory", "memories")} returned`,
    hash: "Hash of the query: the log stores no query text. Equal queries have equal hashes.",
    inOrder: "In the order returned",
    version: (id, version) => version > 0 ? `${id}, version ${version}` : id
  },
  profiles: {
    isDefault: "default",
    new: "New profile",
    add: "New profile",
    delete: "Delete profile",
    deleteTitle: (name) => `Delete the profile ${name}`,
    deleteText: "Its memories move to the default profile. This cannot be undone.",
    deleted: (name) => `${name} deleted.`,
    save: "Save",
    create: "Create profile",
    saved: (name) => `${name} saved.`,
    labels: {
      name: "Name",
      isDefault: "Default profile: sets the isolation and the excluded kinds of the workspace",
      isolation: "Isolation",
      reads: "Reading",
      keeps: "Retention",
      injects: "Context block",
      age: "Maximum age",
      ageIn: "Unit",
      entries: "Maximum memories",
      strategy: "Order",
      scopes: "Scopes",
      limit: "Maximum entries",
      confidence: "Minimum confidence",
      budget: "Token budget",
      kinds: "Excluded kinds"
    },
    hints: {
      name: "One line, unique here.",
      age: "Counted from the last change. Empty: no limit.",
      entries: "Keeps pinned memories, then the newest. Empty: no limit.",
      scopes: "None selected: all scopes.",
      limit: "From 1 to 50.",
      confidence: "From 0 to 1. Empty: no minimum.",
      budget: "Four bytes count as one token. Empty: no limit.",
      kinds: "Separated by commas. Memories of these kinds are neither committed nor recalled."
    },
    ages: [
      ["86400", "days"],
      ["3600", "hours"],
      ["60", "minutes"],
      ["1", "seconds"]
    ],
    inForce: "In force now, for every caller that acts as this workspace.",
    notDefault: "This is not the default profile: the setting applies only to its own context block.",
    widens: "After saving, the workspace can read everything that the tree allows.",
    narrows: (count2) => count2 === 0 ? "After saving, the workspace can read the same memories as now." : `After saving, the workspace can no longer read ${plural(count2, "memory", "memories")}.`,
    narrowsUnknown: "The number of memories that become unreadable is unknown.",
    expires: ({ expires, too_old, too_many }) => {
      const why = [too_old > 0 && `${too_old} too old`, too_many > 0 && `${too_many} too many`].filter(Boolean).join(", ");
      return `${plural(expires, "memory of this profile expires", "memories of this profile expire")} at the next sweep, within a minute: ${why}.`;
    },
    expiresUnknown: "– memories of this profile expire at the next sweep.",
    expireTitle: (name) => `Save ${name}`,
    expireText: "Their content is deleted, with all versions. A more permissive profile does not restore them.",
    expire: (count2) => `Save and expire ${plural(count2, "memory", "memories")}`,
    isolations: [
      ["tree", "Everything that the tree allows"],
      ["team", "No memories that are shared with the whole org"],
      ["isolated", "Only its own memories"]
    ],
    strategies: [
      ["confidence", "Highest confidence, then newest"],
      ["recent", "Pinned, then newest"],
      ["relevance", "Best match for the query"],
      ["off", "Empty block"]
    ]
  },
  context: {
    title: "Context preview",
    description: "The block that goes before a prompt, built from the saved profile. Each preview is a read and is recorded in the audit log.",
    unavailable: "Available after the profile is created.",
    query: "Topic of the prompt",
    queryHint: "Optional.",
    show: "Show the block",
    block: "The block",
    size: (count2, tokens, budget) => `${plural(count2, "memory", "memories")}, ${plural(tokens, "token", "tokens")}${budget === void 0 ? "" : ` of ${budget}`}`,
    empty: "The block is empty.",
    /** The server lists at most 50. */
    omitted: (count2) => count2 < 50 ? `Left out: ${plural(count2, "memory", "memories")}` : `Left out: the first ${count2} candidates`
  },
  runs: {
    run: "Run",
    status: "Status",
    statuses: {
      open: "Open",
      completed: "Completed",
      failed: "Failed",
      cancelled: "Cancelled",
      timed_out: "Timed out"
    },
    all: "All",
    session: "Session",
    by: "Started by",
    started: "Started",
    ends: "Ends",
    ended: "Ended",
    timesOut: "Times out",
    left: (far) => `in ${far}`,
    overdue: "now",
    memories: "Memories",
    counts: (status, written, dropped) => status === "open" ? `${written} pending` : [...written > 0 ? [`${written} committed`] : [], ...dropped > 0 ? [`${dropped} dropped`] : []].join(", ") || "none",
    pending: (count2) => count2 === 0 ? "Nothing is pending" : `${plural(count2, "memory", "memories")} pending`,
    notReadable: "Not readable yet: in no list, search or count.",
    droppedText: "Its pending memories were dropped; nothing of them is stored.",
    showCommitted: (count2) => `Show ${plural(count2, "committed memory", "committed memories")}`,
    log: "Audit log of this run",
    finish: (count2) => count2 === 0 ? "Finish" : `Finish: commit ${plural(count2, "memory", "memories")}`,
    finishTitle: "Finish this run",
    finishText: (name, count2) => count2 === 0 ? "The run is completed. No memories are pending." : `All pending memories are committed at once as ${name}, by the current tree and rules, and become readable according to their scope. If one of them cannot be committed, none is and the run stays open.`,
    finished: (written) => `The run is completed: ${plural(written, "memory", "memories")} committed.`,
    drop: (count2) => count2 === 0 ? "Cancel the run" : `Drop ${plural(count2, "memory", "memories")}`,
    dropTitle: "Drop this run",
    dropText: "The pending memories are deleted permanently. The run stays in the list as cancelled.",
    dropped: (count2) => `The run is cancelled: ${plural(count2, "memory", "memories")} dropped.`,
    none: (name) => `${name} has no runs yet`,
    nothingMatches: (status) => `No run is ${status.toLowerCase()}`,
    how: "Memories that are committed within a run stay pending until the run completes, and are dropped if it does not. An agent runtime starts a run:"
  }
};

// src/strings.ts
var strings = { ...access, ...connect, ...drawer, ...embed, ...frame, ...memories, ...parts, ...screens, ...reach, ...trace, ...work };

// src/tree/model.ts
var total = (counts) => counts.local + counts.team + counts.global;
function mergeSubtree(items, top, parent2) {
  const waiting = [[top, parent2]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, above] = next;
    const isKnown = node.children.length === node.child_count;
    items.set(node.id, {
      id: node.id,
      name: node.name,
      role: node.role ?? void 0,
      parent: above,
      childCount: node.child_count,
      memories: total(node.memories),
      lastWrite: node.last_write_at ?? void 0,
      children: isKnown ? node.children.map((child) => child.id) : items.get(node.id)?.children
    });
    for (const child of node.children) waiting.push([child, node.id]);
  }
}
function itemOf(workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    role: workspace.role ?? void 0,
    parent: workspace.path.at(-1)?.id,
    childCount: workspace.child_count,
    memories: total(workspace.memories),
    lastWrite: workspace.last_write_at ?? void 0,
    children: void 0
  };
}
function visibleRows(items, roots, open2) {
  const shown2 = [];
  const waiting = [];
  const push = (ids, level) => {
    for (let index = ids.length - 1; index >= 0; index -= 1) {
      waiting.push([ids[index], level, ids.length, index + 1]);
    }
  };
  push(roots, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, level, size2, position] = next;
    const item = items.get(id);
    if (!item) continue;
    const isOpen = item.childCount > 0 && open2.has(id);
    shown2.push({ item, level, size: size2, position, isOpen, isAncestorOnly: false });
    if (isOpen && item.children) push(item.children, level + 1);
  }
  return shown2;
}
function searchRows(found) {
  const items = /* @__PURE__ */ new Map();
  const roots = [];
  const hits = new Set(found.map((workspace) => workspace.id));
  for (const workspace of found) {
    let above;
    for (const step of workspace.path) above = ancestorItem(items, roots, step.id, step.name, above);
    const item = ancestorItem(items, roots, workspace.id, workspace.name, above);
    Object.assign(item, { ...itemOf(workspace), parent: item.parent, children: item.children });
  }
  for (const item of items.values()) item.childCount = item.children?.length ?? 0;
  return visibleRows(items, roots, new Set(items.keys())).map((row) => ({ ...row, isAncestorOnly: !hits.has(row.item.id) }));
}
function ancestorItem(items, roots, id, name, above) {
  const known = items.get(id);
  if (known) return known;
  const item = {
    id,
    name,
    role: void 0,
    parent: above?.id,
    childCount: 0,
    memories: void 0,
    lastWrite: void 0,
    children: void 0
  };
  items.set(id, item);
  if (above) (above.children ??= []).push(id);
  else roots.push(id);
  return item;
}

// src/tree/store.ts
var MAX_WHOLE_TREE = 5e3;
var STORAGE_KEY = "orgmem.console.open";
var TreeStore = class {
  items = /* @__PURE__ */ new Map();
  roots = [];
  open = new Set(restoreOpen());
  failure;
  isLoaded = false;
  /** Increases with every change, for memoisation. */
  version = 0;
  me;
  listeners = /* @__PURE__ */ new Set();
  request = new AbortController();
  constructor(me) {
    this.me = me;
  }
  listen(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  /** Reloads the tree; the old one stays visible meanwhile. */
  async load() {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const items = /* @__PURE__ */ new Map();
      const roots = await this.loadRoots(items, signal);
      this.items = items;
      this.roots = roots;
      this.failure = void 0;
      if (this.open.size === 0 && roots[0] !== void 0) this.open.add(roots[0]);
      this.isLoaded = true;
      this.notify();
      await Promise.all([...this.open].map((id) => this.loadChildren(id)));
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.notify();
    }
  }
  toggle(id, isOpen) {
    if (isOpen) this.open.add(id);
    else this.open.delete(id);
    storeOpen(this.open);
    this.notify();
    if (isOpen) void this.loadChildren(id);
  }
  openAll(ids) {
    for (const id of ids) this.open.add(id);
    storeOpen(this.open);
    this.notify();
    for (const id of ids) void this.loadChildren(id);
  }
  /** Expands the ancestors of a workspace, so that its row exists. */
  async reveal(id) {
    if (this.items.has(id) && this.isVisible(id)) return;
    try {
      const { data } = await api(endpoint.workspace(id), { signal: this.request.signal });
      for (const step of data.path) {
        this.open.add(step.id);
        await this.loadChildren(step.id);
      }
      this.notify();
    } catch (error) {
      if (!isAbort(error)) asFailure(error);
    }
  }
  isVisible(id) {
    let above = this.items.get(id)?.parent;
    while (above !== void 0 && this.items.has(above)) {
      if (!this.open.has(above)) return false;
      above = this.items.get(above)?.parent;
    }
    return true;
  }
  async loadRoots(items, signal) {
    const { me } = this;
    if (me.role === "admin") {
      const { orgs } = (await api(endpoint.orgs, { signal })).data;
      for (const { org_id, name, workspaces } of orgs) {
        const unknown = { role: void 0, parent: void 0, memories: void 0, lastWrite: void 0, children: void 0 };
        items.set(org_id, { id: org_id, name, childCount: workspaces > 1 ? 1 : 0, ...unknown });
        this.sizes.set(org_id, workspaces);
      }
      return orgs.map((org) => org.org_id);
    }
    if (me.workspace_id === void 0 || me.workspace_id === null) return [];
    const { data } = await api(endpoint.workspace(me.workspace_id), { signal });
    const item = itemOf(data);
    items.set(data.id, { ...item, parent: void 0, childCount: me.role === "agent" ? 0 : item.childCount });
    this.sizes.set(data.id, data.descendant_count + 1);
    return [data.id];
  }
  /** Sizes of subtrees by id, where they are known. */
  sizes = /* @__PURE__ */ new Map();
  /** Loads the children of a workspace, unless they are known. */
  async loadChildren(id) {
    const item = this.items.get(id);
    if (!item || item.childCount === 0 || item.children) return;
    const isSmall = (this.sizes.get(id) ?? Infinity) <= MAX_WHOLE_TREE;
    try {
      const { data } = await api(endpoint.tree(id, isSmall ? void 0 : 1), { signal: this.request.signal });
      mergeSubtree(this.items, data, item.parent);
      this.notify();
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.notify();
    }
  }
  notify() {
    this.version += 1;
    for (const listener of [...this.listeners]) listener();
  }
};
function restoreOpen() {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]");
  } catch {
    return [];
  }
}
function storeOpen(open2) {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...open2].slice(-500)));
  } catch {
  }
}
var shown;
function treeStoreFor(me) {
  if (!shown || !isSame(shown, me)) {
    shown = new TreeStore(me);
    void shown.load();
  }
  return shown;
}
function isSame(store, me) {
  return store["me"].jti === me.jti;
}
function invalidateTree() {
  void shown?.load();
  invalidate((path) => path.startsWith("/workspaces") || path.startsWith("/admin"));
}
function nameOf(id) {
  return shown?.items.get(id)?.name;
}

// src/live/events.ts
async function* events(path, signal) {
  let rest2 = "";
  for await (const chunk of streamText(path, signal)) {
    const blocks = (rest2 + chunk).split("\n\n");
    rest2 = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
}
function parseEvent(block) {
  const fields = block.split("\n").map((line2) => /^(\w+): ?(.*)$/.exec(line2));
  const valuesOf = (name) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? "");
  const data = valuesOf("data");
  return data.length === 0 ? void 0 : { kind: valuesOf("event").at(-1) ?? "message", data: data.join("\n") };
}

// src/live/stream.ts
var MEMORY_EVENTS = ["memory_committed", "memory_edited", "memory_deleted", "memory_redacted"];
var TREE_EVENTS = ["workspace_created", "workspace_edited", "workspace_moved", "workspace_removed"];
var WORKSPACE_RESOURCES = {
  kv_changed: "memory",
  profile_changed: "profiles",
  run_started: "runs",
  run_changed: "runs",
  run_finished: "runs",
  activity_logged: "session-search"
};
var RETRY_DELAYS_S3 = [1, 2, 5, 10, 30];
var BATCH_MS = 400;
var listeners = /* @__PURE__ */ new Set();
var memoryListeners = /* @__PURE__ */ new Set();
var Stream = class {
  path;
  state = "off";
  /** Time of the next attempt, in milliseconds since the epoch; valid in the state `waiting`. */
  retryAt = 0;
  request;
  timer;
  flushTimer;
  failures = 0;
  wasConnected = false;
  removed = /* @__PURE__ */ new Set();
  changes = { memories: false, tree: false, all: false };
  paths = /* @__PURE__ */ new Set();
  /** Replaces the stream by the one at `path`. */
  watch(path) {
    if (path === this.path) return;
    this.path = path;
    this.wasConnected = false;
    this.failures = 0;
    this.open();
  }
  open() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = void 0;
    if (this.path === void 0) return this.set("off");
    if (document.hidden) return this.set("paused");
    this.set("connecting");
    const request = new AbortController();
    this.request = request;
    const onEnd = () => {
      if (this.request === request) this.retryLater();
    };
    this.consume(this.path, request).then(onEnd, (error) => {
      onEnd();
      if (!isAbort(error)) asFailure(error);
    });
  }
  async consume(path, request) {
    for await (const event of events(path, request.signal)) {
      if (this.request !== request) return;
      this.handle(event);
    }
  }
  handle({ kind, data: text2 }) {
    if (kind === "ready") return this.onConnected();
    if (kind === "resync") return this.schedule({ all: true });
    if (kind === "end") return this.onServerEnd();
    if (TREE_EVENTS.includes(kind)) return this.schedule({ tree: true });
    const data = JSON.parse(text2);
    const resource = WORKSPACE_RESOURCES[kind];
    if (MEMORY_EVENTS.includes(kind)) this.onMemoryEvent(kind, data);
    else if (resource !== void 0) this.onResourceEvent(data, resource);
  }
  onConnected() {
    this.failures = 0;
    this.set("on");
    if (this.wasConnected) this.schedule({ all: true });
    this.wasConnected = true;
  }
  /** The server closed the stream; the session may have ended. */
  onServerEnd() {
    refresh(endpoint.me);
    this.retryLater();
  }
  retryLater() {
    this.request?.abort();
    this.request = void 0;
    const wait = RETRY_DELAYS_S3[Math.min(this.failures, RETRY_DELAYS_S3.length - 1)] ?? 30;
    this.failures += 1;
    this.retryAt = Date.now() + wait * 1e3;
    this.timer = setTimeout(() => this.open(), wait * 1e3);
    this.set("waiting");
  }
  onMemoryEvent(kind, { memory_id: id }) {
    if (id !== void 0 && kind !== "memory_committed") {
      this.paths.add(`/memories/${id}`);
      if (kind !== "memory_edited") this.removed.add(id);
    }
    this.schedule({ memories: true });
  }
  onResourceEvent({ workspace_id: id }, resource) {
    this.paths.add(`/workspaces/${id}/${resource}`);
    this.schedule({});
  }
  /** Records changes, and flushes them together later. */
  schedule(changes) {
    Object.assign(this.changes, changes);
    this.flushTimer ??= setTimeout(() => this.flush(), BATCH_MS);
  }
  flush() {
    this.flushTimer = void 0;
    const { changes, removed } = this;
    const paths = [...this.paths];
    this.paths.clear();
    this.changes = { memories: false, tree: false, all: false };
    this.removed = /* @__PURE__ */ new Set();
    if (changes.tree || changes.all) return invalidateTree();
    if (paths.length > 0) invalidate((path) => paths.some((each) => path.includes(each)));
    if (changes.memories) for (const listener of [...memoryListeners]) listener(removed);
  }
  set(state) {
    this.state = state;
    for (const listener of [...listeners]) listener();
  }
};
var stream = new Stream();
document.addEventListener("visibilitychange", () => {
  if (document.hidden || stream.state === "paused") stream.open();
});
function onLiveChange(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
function onMemoriesChange(listener) {
  memoryListeners.add(listener);
  return () => void memoryListeners.delete(listener);
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t3, e3, n2, u3, a4, i3) {
  e3 || (e3 = {});
  var c3, l3, p3 = e3;
  if ("ref" in p3 && "function" != typeof t3) for (l3 in p3 = {}, e3) "ref" == l3 ? c3 = e3[l3] : p3[l3] = e3[l3];
  var s3 = { type: t3, props: p3, key: n2, ref: c3, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i3) && (s3.__source = a4, s3.__self = i3), n.vnode && n.vnode(s3), s3;
}

// src/live/indicator.tsx
function useLive(path) {
  const [, redraw] = d2(0);
  A2(() => onLiveChange(() => redraw((count2) => count2 + 1)), []);
  A2(() => stream.watch(path), [path]);
  return stream.state;
}
function LiveStatus({ me, selected }) {
  const workspace = useResource(selected && endpoint.workspace(selected)).data;
  const top = me.workspace_id ?? workspace?.org_id;
  const path = top === void 0 ? void 0 : endpoint.events(top, me.role === "agent" ? {} : { subtree: "true" });
  return a3(LiveIndicator, { state: useLive(path) });
}
function LiveIndicator({ state }) {
  const [, redraw] = d2(0);
  A2(() => {
    if (state !== "waiting") return;
    const timer = setInterval(() => redraw((count2) => count2 + 1), 1e3);
    return () => clearInterval(timer);
  }, [state]);
  if (state === "off") return null;
  return a3("span", { class: `live ${state}`, title: strings.live.title[state], children: a3("span", { class: "live-word", children: labelOf(state) }) });
}
function labelOf(state) {
  if (state !== "waiting") return strings.live[state];
  return strings.live.waiting(Math.max(1, Math.ceil((stream.retryAt - Date.now()) / 1e3)));
}

// src/api/pages.ts
function usePages(path, rowsOf = (page) => page) {
  const first = useResource(path);
  const previous = T2(void 0);
  const [following, setFollowing] = d2(noFollowingPages(void 0, void 0));
  const request = T2(void 0);
  const isCurrent = following.first === first.data;
  const rest2 = isCurrent ? following : noFollowingPages(first.data, first.next);
  const next = isCurrent ? following.next : first.next;
  const rows = w2(() => first.data && [...rowsOf(first.data), ...rest2.rows], [first.data, rest2.rows]);
  if (rows) previous.current = rows;
  A2(() => () => request.current?.abort(), [path]);
  const more = b(async () => {
    if (next === void 0 || rest2.isLoading) return;
    const controller = new AbortController();
    request.current = controller;
    const start = { ...rest2, first: first.data, next, isLoading: true, failure: void 0 };
    setFollowing(start);
    try {
      const answer = await api(next, { signal: controller.signal });
      setFollowing({ ...start, rows: [...start.rows, ...rowsOf(answer.data)], next: answer.next, isLoading: false });
    } catch (error) {
      if (!isAbort(error)) setFollowing({ ...start, isLoading: false, failure: asFailure(error) });
    }
  }, [next, rest2, first.data]);
  return {
    rows: rows ?? (first.failure ? void 0 : previous.current),
    isStale: first.data === void 0 && previous.current !== void 0,
    isLoading: first.isLoading || rest2.isLoading,
    failure: first.failure ?? rest2.failure,
    hasMore: next !== void 0,
    more: () => void more()
  };
}
var NONE = [];
function noFollowingPages(first, next) {
  return { first, rows: NONE, next, isLoading: false, failure: void 0 };
}

// src/preferences.ts
var STORAGE_KEY2 = "orgmem.console";
var DEFAULTS = { theme: "system", density: "dense", singleKeys: true, treeWidth: 320 };
var THEMES = ["system", "light", "dark"];
function fromAddress() {
  const query2 = new URLSearchParams(location.search);
  const theme = THEMES.find((each) => each === query2.get("theme")) ?? DEFAULTS.theme;
  return { ...DEFAULTS, theme, singleKeys: query2.get("keys") !== "off" };
}
function load() {
  if (isEmbedded) return fromAddress();
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY2) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}
var preferences = { current: load() };
var listeners2 = /* @__PURE__ */ new Set();
function setPreferences(change) {
  preferences.current = { ...preferences.current, ...change };
  try {
    localStorage.setItem(STORAGE_KEY2, JSON.stringify(preferences.current));
  } catch {
  }
  applyPreferences();
  for (const listener of [...listeners2]) listener();
}
function onPreferencesChange(listener) {
  listeners2.add(listener);
  return () => void listeners2.delete(listener);
}
function applyPreferences() {
  const { theme, density, treeWidth } = preferences.current;
  const root2 = document.documentElement;
  if (theme === "system") delete root2.dataset.theme;
  else root2.dataset.theme = theme;
  root2.dataset.density = density;
  root2.style.setProperty("--tree-width", `${treeWidth}px`);
}

// src/keys.ts
var PAIR_MS = 1e3;
var layers = [];
var pendingKey;
function useKeys(keys) {
  const ref = T2(keys);
  ref.current = keys;
  F2(() => {
    layers.push(ref);
    return () => void layers.splice(layers.indexOf(ref), 1);
  }, []);
}
function nameOf2(event) {
  const letter = event.key.length === 1;
  const modified = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const shifted = event.shiftKey && (!letter || /[a-z]/i.test(event.key)) ? "Shift+" : "";
  return `${modified}${shifted}${letter ? event.key.toLowerCase() : event.key}`;
}
function isField(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}
function dispatch(name, event) {
  for (const keys of [...layers].reverse()) {
    const action = keys.current[name];
    if (!action || action(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf2(event);
  const isPlain = !name.startsWith("Mod+") && event.key.length === 1;
  if (isField(event.target) && (isPlain || !/^(Mod\+|Escape)/.test(name))) return;
  if (document.querySelector("dialog[open]:modal") && name !== "Mod+k") return;
  if (isPlain && !preferences.current.singleKeys && name !== "?") return;
  const pair = pendingKey && event.timeStamp - pendingKey.at < PAIR_MS ? `${pendingKey.key} ${name}` : void 0;
  pendingKey = void 0;
  if (pair !== void 0 && dispatch(pair, event)) return;
  if (name === "g") {
    pendingKey = { key: "g", at: event.timeStamp };
    return;
  }
  dispatch(name, event);
});
var MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl ";

// src/parts/icons.tsx
function Icon({ children, size: size2 = 16 }) {
  return a3("svg", { class: "icon", width: size2, height: size2, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false", children });
}
var line = { fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" };
var CaretIcon = () => a3(Icon, { size: 12, children: a3("path", { ...line, "stroke-width": 2, d: "M6 3.5 10.5 8 6 12.5" }) });
var CloseIcon = () => a3(Icon, { children: a3("path", { ...line, d: "m4 4 8 8m0-8-8 8" }) });
var CheckIcon = () => a3(Icon, { children: a3("path", { ...line, d: "m3.5 8.5 3 3 6-7" }) });
var SearchIcon = () => a3(Icon, { children: [
  a3("circle", { ...line, cx: "7", cy: "7", r: "4" }),
  a3("path", { ...line, d: "m10 10 3.5 3.5" })
] });
var MenuIcon = () => a3(Icon, { children: a3("path", { ...line, d: "M3 4.5h10M3 8h10M3 11.5h10" }) });
var PlusIcon = () => a3(Icon, { children: a3("path", { ...line, d: "M8 3.5v9M3.5 8h9" }) });
var Pin = () => a3(Icon, { size: 12, children: a3("path", { ...line, d: "M5.5 2.5h5l-.7 4.2 2.2 2.6H4l2.2-2.6zM8 9.5v4" }) });
var CopyIcon = () => a3(Icon, { children: [
  a3("rect", { ...line, x: "5.5", y: "5.5", width: "7.5", height: "8", rx: "1.2" }),
  a3("path", { ...line, d: "M10.5 5.5V4a1.2 1.2 0 0 0-1.2-1.2H4.2A1.2 1.2 0 0 0 3 4v5.3a1.2 1.2 0 0 0 1.2 1.2h1.3" })
] });
var TreeIcon = () => a3(Icon, { children: [
  a3("circle", { ...line, cx: "8", cy: "3.5", r: "1.7" }),
  a3("circle", { ...line, cx: "3.8", cy: "12.3", r: "1.7" }),
  a3("circle", { ...line, cx: "12.2", cy: "12.3", r: "1.7" }),
  a3("path", { ...line, d: "M8 5.2v2.3M3.8 10.6V9a1.5 1.5 0 0 1 1.5-1.5h5.4A1.5 1.5 0 0 1 12.2 9v1.6" })
] });
var GaugeIcon = () => a3(Icon, { children: a3("path", { ...line, d: "M2.8 12a6 6 0 1 1 10.4 0M8 9.5 10.6 6" }) });
var List = () => a3(Icon, { children: a3("path", { ...line, d: "M6 4.5h7M6 8h7M6 11.5h7M3 4.5h.01M3 8h.01M3 11.5h.01" }) });
function ScopeSign({ scope }) {
  return a3("svg", { class: "icon", width: "12", height: "12", viewBox: "0 0 12 12", "aria-hidden": "true", focusable: "false", children: [
    scope === "LOCAL" && a3("circle", { cx: "6", cy: "6", r: "2.4", fill: "currentColor" }),
    scope === "TEAM" && a3($, { children: [
      a3("circle", { cx: "6", cy: "3.2", r: "2", fill: "currentColor" }),
      a3("circle", { cx: "3", cy: "8.8", r: "2", fill: "currentColor" }),
      a3("circle", { cx: "9", cy: "8.8", r: "2", fill: "currentColor" })
    ] }),
    scope === "GLOBAL" && a3($, { children: [
      a3("circle", { cx: "6", cy: "6", r: "1.8", fill: "currentColor" }),
      a3("circle", { cx: "6", cy: "6", r: "4.6", fill: "none", stroke: "currentColor", "stroke-width": "1.4" })
    ] })
  ] });
}

// src/parts/chips.tsx
function ScopeChip({ scope, of }) {
  return a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
    a3(ScopeSign, { scope }),
    a3("span", { children: scope }),
    of !== void 0 && a3("span", { class: "of", children: a3("bdi", { children: of }) })
  ] });
}
function Chip({ children, onRemove }) {
  return a3(
    "button",
    {
      type: "button",
      class: "chip",
      onClick: onRemove,
      onKeyDown: (event) => {
        if (event.key === "Delete" || event.key === "Backspace") onRemove();
      },
      children: [
        a3("span", { class: "chip-text", children }),
        a3(CloseIcon, {}),
        a3("span", { class: "unseen", children: strings.filters.remove })
      ]
    }
  );
}

// src/route.ts
var TABS = ["memories", "state", "timeline", "reach", "profiles", "runs", "access", "connect"];
function consolePath() {
  return decodeURI(location.pathname).slice(decodeURI(CONSOLE.pathname).length);
}
var EMBED_PARAMETERS = ["theme", "keys"];
function screenOf(path) {
  if (isEmbedded) return { name: "workspace", id: path.split("/").at(-1) ?? "", tab: "memories" };
  const [first, id, tab] = path.split("/");
  if (first === "" || first === void 0) return { name: "home" };
  if (first === "system" && id === void 0) return { name: "system" };
  if (first === "audit" && id === void 0) return { name: "audit" };
  if (first === "w" && id && (tab === void 0 || tab === "")) return { name: "workspace", id, tab: "memories" };
  const known = TABS.find((name) => name === tab);
  if (first === "w" && id && known) return { name: "workspace", id, tab: known };
  return { name: "not_found" };
}
function current() {
  return { screen: screenOf(consolePath()), query: new URLSearchParams(location.search) };
}
var listeners3 = /* @__PURE__ */ new Set();
function notify() {
  for (const listener of [...listeners3]) listener();
}
addEventListener("popstate", notify);
function address(path) {
  const url = new URL(path, CONSOLE);
  if (isEmbedded) {
    const current4 = new URLSearchParams(location.search);
    for (const name of EMBED_PARAMETERS) if (current4.has(name)) url.searchParams.set(name, current4.get(name) ?? "");
  }
  return url.href;
}
function leavesEmbed(path) {
  const pathOfUrl = (url) => url.pathname.toLowerCase();
  return isEmbedded && pathOfUrl(new URL(path, CONSOLE)) !== pathOfUrl(location);
}
function go(path, how = {}) {
  if (leavesEmbed(path)) return;
  const target = address(path);
  if (target === location.href) return;
  if (how.replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  notify();
}
function pathWith(change, route = current()) {
  const query2 = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === void 0 || value === "") query2.delete(name);
    else query2.set(name, value);
  }
  const text2 = query2.toString();
  return `${pathOf(route.screen)}${text2 === "" ? "" : `?${text2}`}`;
}
function goWith(change, how = {}) {
  go(pathWith(change), how);
}
function pathOf(screen) {
  switch (screen.name) {
    case "home":
      return "./";
    case "system":
    case "audit":
      return screen.name;
    case "workspace":
      return workspacePath(screen.id, screen.tab);
    case "not_found":
      return consolePath();
  }
}
function workspacePath(id, tab = "memories") {
  if (isEmbedded && tab === "memories") return `embed/w/${id}`;
  return `w/${id}/${tab}`;
}
function useRoute() {
  const [route, set2] = d2(current);
  A2(() => {
    const listener = () => set2(current());
    listeners3.add(listener);
    listener();
    return () => void listeners3.delete(listener);
  }, []);
  return route;
}

// src/parts/controls.tsx
function Button({ children, kind = "plain", type = "button", disabledReason, isBusy, ...rest2 }) {
  const why = P2();
  const button = a3(
    "button",
    {
      ...rest2,
      type,
      class: `button ${kind} ${rest2.class ?? ""}`,
      "aria-disabled": disabledReason !== void 0 || isBusy ? "true" : void 0,
      "aria-describedby": disabledReason === void 0 ? void 0 : why,
      onClick: (event) => {
        if (disabledReason !== void 0 || isBusy) event.preventDefault();
        else rest2.onClick?.(event);
      },
      children
    }
  );
  if (disabledReason === void 0) return button;
  return a3("span", { class: "blocked", children: [
    button,
    a3("span", { class: "why", id: why, children: disabledReason })
  ] });
}
function IconButton({ label, children, isPressed, expanded, ...rest2 }) {
  return a3(
    "button",
    {
      ...rest2,
      type: "button",
      class: `icon-button ${rest2.class ?? ""}`,
      "aria-label": label,
      title: label,
      "aria-pressed": isPressed,
      "aria-expanded": expanded,
      children
    }
  );
}
function Link({ to, children, ...rest2 }) {
  if (leavesEmbed(to)) {
    return a3("span", { class: rest2.class, title: rest2.title, children });
  }
  return a3(
    "a",
    {
      ...rest2,
      href: address(to),
      onClick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      },
      children
    }
  );
}
function Field({ label, hint, fault, children }) {
  const id = P2();
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return a3("div", { class: "field", children: [
    a3("label", { for: id, children: label }),
    children({ id, "aria-describedby": described || void 0, "aria-invalid": fault !== void 0 }),
    hint && a3("p", { class: "hint", id: `${id}-hint`, children: hint }),
    fault && a3("p", { class: "fault", id: `${id}-fault`, role: "alert", children: fault })
  ] });
}
function Select({ value, options, onChange, label, id }) {
  return a3("select", { id, "aria-label": label, value, onChange: (event) => onChange(event.currentTarget.value), children: options.map(([each, text2]) => a3("option", { value: each, selected: each === value, children: text2 }, each)) });
}

// src/parts/text.tsx
function markers(query2) {
  const found = query2.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return found.map((word) => word.length > 5 ? word.slice(0, -2) : word.replace(/s$/, "")).filter(Boolean);
}
var SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
var STAND_IN = /(\[REDACTED:[A-Z0-9_]+\])/;
function escaped(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
function pattern(query2) {
  const wanted = markers(query2);
  if (wanted.length === 0) return void 0;
  const each = wanted.map(
    (word) => SPACELESS.test(word) ? `[${escaped(word)}]{2,}` : `(?<![\\p{L}\\p{N}])${escaped(word)}[\\p{L}\\p{N}_]*`
  );
  return new RegExp(`(${each.join("|")})`, "giu");
}
function Content({ text: text2, query: query2 = "" }) {
  const wanted = pattern(query2);
  return a3("bdi", { children: text2.split(STAND_IN).map(
    (part, index) => index % 2 === 1 ? a3("span", { class: "stand-in", title: strings.memory.standIn, children: part }, index) : wanted ? part.split(wanted).map((piece, place) => place % 2 === 1 ? a3("mark", { children: piece }, `${index} ${place}`) : piece) : part
  ) });
}
function Id({ id }) {
  return a3(Copy, { text: id, label: strings.copy.id, children: a3("code", { title: id, children: `${id.slice(0, 8)}…${id.slice(-4)}` }) });
}
async function copy(text2) {
  try {
    await navigator.clipboard.writeText(text2);
    return true;
  } catch {
    return copyBySelection(text2);
  }
}
function copyBySelection(text2) {
  const area = document.createElement("textarea");
  area.value = text2;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
function Copy({ text: text2, label, children }) {
  const [isDone, setDone] = d2(false);
  const timer = T2(void 0);
  const onClick = async () => {
    setDone(await copy(text2));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), 2e3);
  };
  return a3("button", { type: "button", class: "copy", title: label, onClick: () => void onClick(), children: [
    children,
    isDone ? a3(CheckIcon, {}) : a3(CopyIcon, {}),
    a3("span", { class: "unseen", "aria-live": "polite", children: isDone ? strings.copy.done : label })
  ] });
}
function Snippet({ text: text2, label }) {
  return a3("div", { class: "snippet", children: [
    a3("pre", { tabIndex: 0, "aria-label": label, children: text2 }),
    a3(Copy, { text: text2, label: strings.copy.this })
  ] });
}

// src/parts/states.tsx
function Empty({ title, children }) {
  return a3("div", { class: "empty", children: [
    a3("p", { class: "empty-title", children: title }),
    children
  ] });
}
function Skeleton({ rows = 6, height = 56 }) {
  return a3("div", { class: "waiting", role: "status", "aria-label": strings.states.loading, children: Array.from({ length: rows }, (_3, index) => a3("div", { style: { height: `${height}px` }, children: [
    a3("span", {}),
    a3("span", {})
  ] }, index)) });
}
function ErrorNotice({ failure }) {
  const id = failure.problem.request_id;
  return a3("div", { class: `refused ${failure.status >= 500 || failure.status === 0 ? "broken" : ""}`, role: "alert", children: [
    a3("p", { class: "refused-title", children: titleOf(failure) }),
    a3("p", { children: a3("bdi", { children: failureMessage(failure) }) }),
    failure.isTransient && a3("p", { class: "quiet", children: failure.status === 429 ? strings.states.busy : strings.states.retrying }),
    id && a3("p", { class: "quiet", children: [
      strings.states.request,
      " ",
      a3("code", { children: id }),
      " ",
      a3(Copy, { text: id, label: strings.copy.id })
    ] })
  ] });
}
function titleOf(failure) {
  if (failure.status === 0) return strings.states.offline;
  if (failure.status === 404) return strings.states.notFound;
  return failure.problem.title ?? strings.states.failed;
}
function failureMessage(failure) {
  const message = failure.problem.detail;
  return message === void 0 ? strings.states.noResponse : asSentence(message);
}
function asSentence(message) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
function fieldError(failure, field) {
  const named2 = failure?.more("field");
  return failure && named2 === field ? failureMessage(failure) : void 0;
}

// src/parts/time.tsx
var EXACT = new Intl.DateTimeFormat(void 0, { dateStyle: "full", timeStyle: "long" });
var SECONDS = new Intl.DateTimeFormat(void 0, { timeStyle: "medium" });
var MINUTES = new Intl.DateTimeFormat(void 0, { timeStyle: "short" });
var DAY = new Intl.DateTimeFormat(void 0, { dateStyle: "full" });
var SHORT = new Intl.DateTimeFormat(void 0, { dateStyle: "medium", timeStyle: "short" });
var STEPS = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [86400, 3600, "h"],
  [86400 * 60, 86400, "d"],
  [86400 * 730, 86400 * 30.44, "months"],
  [Infinity, 86400 * 365.25, "years"]
];
function distance(from, to) {
  const seconds2 = Math.abs(to - from) / 1e3;
  if (seconds2 < 5) return strings.time.now;
  const [, unit, name] = STEPS.find(([limit]) => seconds2 < limit) ?? [0, 1, "s"];
  return `${Math.floor(seconds2 / unit)} ${name}`;
}
function relative(instant, now = Date.now()) {
  const at = Date.parse(instant);
  const far = distance(now, at);
  if (far === strings.time.now) return far;
  return at > now ? strings.time.ahead(far) : strings.time.ago(far);
}
var exact = (instant) => EXACT.format(new Date(instant));
var clock = (instant) => MINUTES.format(new Date(instant));
var clockWithSeconds = (instant) => SECONDS.format(new Date(instant));
var day = (instant) => DAY.format(new Date(instant));
var short = (instant) => SHORT.format(new Date(instant));
var listeners4 = /* @__PURE__ */ new Set();
setInterval(() => {
  if (!document.hidden) for (const listener of [...listeners4]) listener();
}, 3e4);
function useNow() {
  const [, set2] = d2(0);
  A2(() => {
    const listener = () => set2(Date.now());
    listeners4.add(listener);
    return () => void listeners4.delete(listener);
  }, []);
  return Date.now();
}
function Time({ at, brief }) {
  const now = useNow();
  const text2 = brief ? distance(now, Date.parse(at)) : relative(at, now);
  return a3("time", { dateTime: at, title: exact(at), children: text2 });
}

// src/session.ts
var isSignedOut = false;
var linkFailure;
var listeners5 = /* @__PURE__ */ new Set();
function set(ended) {
  if (isSignedOut === ended) return;
  isSignedOut = ended;
  for (const listener of [...listeners5]) listener();
}
onSessionEnd(() => set(true));
function useSessionEnded() {
  const [ended, redraw] = d2(isSignedOut);
  A2(() => {
    const listener = () => redraw(isSignedOut);
    listeners5.add(listener);
    listener();
    return () => void listeners5.delete(listener);
  }, []);
  return ended;
}
var linkCodeFailure = () => linkFailure;
async function redeemLinkCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await signIn({ code });
  } catch (error) {
    linkFailure = asFailure(error);
  }
}
async function signInWithToken(token) {
  await signIn({ token: token.trim() });
  linkFailure = void 0;
  set(false);
  invalidateAll();
}
async function signOutAndReload() {
  await signOut();
  location.reload();
}
function may(me, action) {
  return me.may.includes(action);
}

// src/drawer/access.tsx
function Access({ workspace, id, isOpen = false }) {
  const [open2, set2] = d2(isOpen);
  return a3("details", { open: isOpen, onToggle: (event) => set2(event.currentTarget.open), children: [
    a3("summary", { children: a3("h3", { children: strings.access.title }) }),
    open2 && a3(Rows, { workspace, id })
  ] });
}
function Rows({ workspace, id }) {
  const pages = usePages(endpoint.accessOf(workspace.id, id, { limit: 20 }));
  if (pages.failure) return a3(ErrorNotice, { failure: pages.failure });
  return a3("div", { children: [
    a3("ul", { class: "accesses", children: pages.rows?.map((row) => a3("li", { children: [
      a3("span", { children: [
        strings.access.did(row.action),
        a3("span", { class: "quiet", children: [
          " ",
          a3("bdi", { children: row.subject }),
          row.memories[0] && row.memories[0].version > 0 && `, ${strings.memory.version(row.memories[0].version)}`
        ] })
      ] }),
      a3(Time, { at: row.at })
    ] }, row.seq)) }),
    pages.hasMore && a3(Button, { kind: "quiet", onClick: pages.more, children: strings.more })
  ] });
}

// src/drawer/unreadable.tsx
function UnreadableMemory({ workspace, id, failure }) {
  const why = useResource(failure.status === 404 ? endpoint.why(workspace.id, id) : void 0);
  if (failure.status !== 404 || why.failure) return a3(ErrorNotice, { failure });
  if (!why.data) return a3(Skeleton, { rows: 3 });
  return a3("div", { class: "drawer-body", children: [
    a3("div", { class: "refused", children: [
      a3("p", { class: "refused-title", children: strings.causes[why.data.cause] }),
      a3("p", { children: a3("bdi", { children: asSentence(why.data.reason) }) }),
      why.data.since && a3("p", { class: "quiet", children: a3(Time, { at: why.data.since }) }),
      why.data.superseded_by && a3("p", { children: a3(Link, { to: pathWith({ m: why.data.superseded_by }), children: strings.explain.replacement }) }),
      a3("p", { class: "quiet", children: a3(Id, { id }) })
    ] }),
    a3(Access, { workspace, id, isOpen: true })
  ] });
}

// src/parts/dialog.tsx
function Dialog({ title, onClose, children, size: size2 = "wide", isForced }) {
  const ref = T2(null);
  const id = P2();
  A2(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return a3(
    "dialog",
    {
      ref,
      class: size2,
      "aria-labelledby": id,
      onCancel: (event) => {
        event.preventDefault();
        if (!isForced) onClose();
      },
      children: [
        a3("header", { children: [
          a3("h2", { id, children: title }),
          !isForced && a3(IconButton, { label: strings.close, onClick: onClose, children: a3(CloseIcon, {}) })
        ] }),
        children
      ]
    }
  );
}
var count = 0;
var show = () => {
};
function showToast(text2, action) {
  count += 1;
  show(action ? { id: count, text: text2, action } : { id: count, text: text2 });
}
function Toasts() {
  const [message, set2] = d2();
  show = set2;
  A2(() => {
    if (!message) return;
    const timer = setTimeout(() => set2(void 0), 1e4);
    return () => clearTimeout(timer);
  }, [message]);
  return a3("div", { class: "toasts", role: "status", children: message && a3("div", { class: "toast", children: [
    a3("span", { children: message.text }),
    message.action && a3(
      "button",
      {
        type: "button",
        class: "button quiet",
        onClick: () => {
          message.action?.run();
          set2(void 0);
        },
        children: message.action.label
      }
    ),
    a3(IconButton, { label: strings.close, onClick: () => set2(void 0), children: a3(CloseIcon, {}) })
  ] }, message.id) });
}

// src/parts/diff.tsx
var MOST = 600;
function Diff({ from, to }) {
  return a3("pre", { class: "diff", tabIndex: 0, "aria-label": strings.diff.title, children: lines(from, to).map((line2, index) => a3("span", { class: `line ${line2.kind}`, children: [
    a3("span", { class: "unseen", children: strings.diff.kinds[line2.kind] }),
    line2.pieces.map((piece, place) => a3("span", { class: piece.kind, children: piece.text }, place)),
    "\n"
  ] }, index)) });
}
function lines(from, to) {
  const [before, after] = [from.split("\n"), to.split("\n")];
  if (before.length > MOST || after.length > MOST) {
    return [...before.map((text2) => unchanged("removed", text2)), ...after.map((text2) => unchanged("added", text2))];
  }
  return withWords(compared(before, after));
}
var unchanged = (kind, text2) => ({ kind, pieces: [{ kind: "same", text: text2 }] });
function withWords(pieces) {
  const found = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const removed = run(pieces, index, "removed");
    const after = run(pieces, index + removed.length, "added");
    if (removed.length > 0 && removed.length === after.length) {
      for (let place = 0; place < removed.length; place += 1) {
        const parts2 = compared(split(removed[place] ?? ""), split(after[place] ?? ""));
        found.push({ kind: "removed", pieces: parts2.filter((part) => part.kind !== "added") });
      }
      for (let place = 0; place < removed.length; place += 1) {
        const parts2 = compared(split(removed[place] ?? ""), split(after[place] ?? ""));
        found.push({ kind: "added", pieces: parts2.filter((part) => part.kind !== "removed") });
      }
      index += removed.length + after.length - 1;
    } else {
      const piece = pieces[index];
      found.push(unchanged(piece.kind, piece.text));
    }
  }
  return found;
}
function run(pieces, start, kind) {
  const texts = [];
  for (let index = start; pieces[index]?.kind === kind; index += 1) texts.push(pieces[index]?.text ?? "");
  return texts;
}
var split = (line2) => line2.split(/(\s+|[.,;:{}[\]"()])/).filter((part) => part !== "");
function compared(before, after) {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i4 = before.length - 1; i4 >= 0; i4 -= 1) {
    for (let j3 = after.length - 1; j3 >= 0; j3 -= 1) {
      const below2 = lengths[(i4 + 1) * width + j3];
      const beside = lengths[i4 * width + j3 + 1];
      const across = lengths[(i4 + 1) * width + j3 + 1];
      lengths[i4 * width + j3] = before[i4] === after[j3] ? across + 1 : Math.max(below2, beside);
    }
  }
  const pieces = [];
  let [i3, j2] = [0, 0];
  while (i3 < before.length || j2 < after.length) {
    if (i3 < before.length && j2 < after.length && before[i3] === after[j2]) {
      pieces.push({ kind: "same", text: before[i3] });
      i3 += 1;
      j2 += 1;
    } else if (j2 >= after.length || i3 < before.length && lengths[(i3 + 1) * width + j2] >= lengths[i3 * width + j2 + 1]) {
      pieces.push({ kind: "removed", text: before[i3] });
      i3 += 1;
    } else {
      pieces.push({ kind: "added", text: after[j2] });
      j2 += 1;
    }
  }
  return pieces;
}

// src/parts/conflict.tsx
function Conflict({ base, theirs, mine, check, onClose, onTake }) {
  const other = theirs?.text ?? "";
  const [merged, setMerged] = d2(mine);
  const fault = check?.(merged);
  return a3(Dialog, { title: strings.conflict.title, onClose, children: [
    a3("p", { children: theirs ? strings.conflict.changed(theirs.version) : strings.conflict.dropped }),
    a3("div", { class: "three", children: [
      a3("section", { children: [
        a3("h3", { children: strings.conflict.theirs }),
        a3(Diff, { from: base, to: other }),
        a3(Button, { onClick: () => setMerged(other), children: strings.conflict.useTheirs })
      ] }),
      a3("section", { children: [
        a3("h3", { children: strings.conflict.mine }),
        a3(Diff, { from: base, to: mine }),
        a3(Button, { onClick: () => setMerged(mine), children: strings.conflict.useMine })
      ] })
    ] }),
    a3(Field, { label: strings.conflict.merged, hint: strings.conflict.hint, fault, children: (attributes) => a3(
      "textarea",
      {
        ...attributes,
        class: "code",
        rows: 8,
        spellcheck: false,
        value: merged,
        onInput: (event) => setMerged(event.currentTarget.value)
      }
    ) }),
    a3("footer", { children: [
      a3(Button, { onClick: onClose, children: strings.cancel }),
      a3(Button, { kind: "primary", disabledReason: fault, onClick: () => onTake(merged), children: strings.conflict.accept })
    ] })
  ] });
}

// src/drawer/edit.tsx
function Edit({ workspace, memory, onDone }) {
  const [base, setBase] = d2({ version: memory.version, text: memory.content });
  const [text2, setText] = d2(memory.content);
  const [theirs, setTheirs] = d2();
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const save3 = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const { data } = await editMemory(workspace.id, memory.id, { content: text2 }, base.version);
      showToast(strings.edit.saved(data.version));
      invalidateWorkspace(workspace.id);
      onDone();
    } catch (error) {
      const refused = asFailure(error);
      if (refused.problem.code === "version_conflict") setTheirs(await current2(workspace.id, memory.id));
      else setFailure(refused);
      setBusy(false);
    }
  };
  const fault = fieldError(failure, "content");
  return a3(
    "form",
    {
      class: "edit",
      onSubmit: (event) => void save3(event),
      onKeyDown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save3(event);
      },
      children: [
        a3(Field, { label: strings.write.content, hint: strings.edit.hint, fault, children: (attributes) => a3(
          "textarea",
          {
            ...attributes,
            rows: Math.min(16, 3 + Math.ceil(text2.length / 48)),
            required: true,
            ref: focusOnce,
            value: text2,
            onInput: (event) => setText(event.currentTarget.value)
          }
        ) }),
        failure && fault === void 0 && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
        a3("footer", { children: [
          a3(Button, { onClick: onDone, children: strings.cancel }),
          a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.edit.save })
        ] }),
        theirs !== void 0 && a3(
          Conflict,
          {
            base: base.text,
            theirs,
            mine: text2,
            onClose: () => setTheirs(void 0),
            onTake: (merged) => {
              if (theirs) setBase(theirs);
              setText(merged);
              setTheirs(void 0);
            }
          }
        )
      ]
    }
  );
}
function focusOnce(element) {
  if (element && !element.dataset.seen) {
    element.dataset.seen = "1";
    element.focus();
  }
}
async function current2(workspace, memory) {
  try {
    const { data } = await api(endpoint.memory(workspace, memory));
    return { version: data.version, text: data.content };
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}

// src/drawer/attributes.tsx
async function updateAttributes(workspace, memory, change, back) {
  try {
    await save(workspace, memory, change, back);
  } catch (error) {
    showToast(failureMessage(asFailure(error)));
  }
}
async function save(workspace, memory, change, back) {
  const { data } = await editMemory(workspace.id, memory.id, change, memory.version);
  invalidateWorkspace(workspace.id);
  const undo = async () => {
    try {
      await editMemory(workspace.id, memory.id, back, data.version);
      invalidateWorkspace(workspace.id);
    } catch (error) {
      showToast(failureMessage(asFailure(error)));
    }
  };
  showToast(strings.attributes.saved, { label: strings.attributes.undo, run: () => void undo() });
}
function AttributesForm({ workspace, memory, onDone }) {
  const [tags, setTags] = d2(memory.tags.join(", "));
  const [ttl, setTtl] = d2(UNCHANGED);
  const [failure, setFailure] = d2();
  const submit = async (event) => {
    event.preventDefault();
    const newTags = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    const expiry = ttl === UNCHANGED ? {} : ttl === "" ? { expires_at: null } : { ttl_seconds: Number(ttl) };
    const back = { tags: memory.tags, ...ttl === UNCHANGED ? {} : { expires_at: memory.expires_at ?? null } };
    try {
      await save(workspace, memory, { tags: newTags, ...expiry }, back);
      onDone();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const fault = fieldError(failure, "tags");
  return a3("form", { class: "edit", onSubmit: (event) => void submit(event), children: [
    a3(Field, { label: strings.write.fields.tags, hint: strings.attributes.tagsHint, fault, children: (attributes) => a3(
      "input",
      {
        ...attributes,
        type: "text",
        autofocus: true,
        value: tags,
        onInput: (event) => setTags(event.currentTarget.value)
      }
    ) }),
    a3(Field, { label: strings.write.expiry, children: ({ id }) => a3(Select, { id, value: ttl, options: [[UNCHANGED, strings.attributes.unchanged], ...strings.lifetimes], onChange: setTtl }) }),
    failure && fault === void 0 && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
    a3("footer", { children: [
      a3(Button, { onClick: onDone, children: strings.cancel }),
      a3(Button, { kind: "primary", type: "submit", children: strings.attributes.save })
    ] })
  ] });
}
var UNCHANGED = "kept";

// src/drawer/history.tsx
function History({ workspace, memory, canEdit }) {
  const [isOpen, open2] = d2(false);
  return a3("details", { onToggle: (event) => open2(event.currentTarget.open), children: [
    a3("summary", { children: [
      a3("h3", { children: strings.history.title }),
      a3("span", { class: "quiet", children: strings.memory.version(memory.version) })
    ] }),
    isOpen && a3(Versions, { workspace, memory, canEdit })
  ] });
}
function Versions({ workspace, memory, canEdit }) {
  const pages = usePages(endpoint.history(workspace.id, memory.id));
  const [chosen, choose] = d2({});
  const [failure, setFailure] = d2();
  if (pages.failure) return a3(ErrorNotice, { failure: pages.failure });
  const versions = pages.rows ?? [];
  const to = versions.find((each) => each.version === chosen.to) ?? versions[0];
  const from = versions.find((each) => each.version === chosen.from) ?? versions[1];
  const restore = async (version) => {
    try {
      const { data } = await restoreMemory(workspace.id, memory.id, version, memory.version);
      showToast(strings.history.restored(version, data.version));
      invalidateWorkspace(workspace.id);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const options = versions.map((each) => [String(each.version), strings.history.option(each.version, short(each.written_at))]);
  return a3("div", { class: "history", children: [
    a3("ol", { children: versions.map((each) => a3("li", { children: [
      a3("span", { children: [
        strings.history.version(each.version),
        " ",
        a3(Time, { at: each.written_at }),
        each.current && a3("span", { class: "quiet", children: [
          " ",
          strings.history.current
        ] })
      ] }),
      a3("span", { class: "quiet", children: strings.memory.sourceOf(each.source, each.role) }),
      canEdit && !each.current && a3(Button, { kind: "quiet", onClick: () => void restore(each.version), children: strings.history.restore(each.version) })
    ] }, each.version)) }),
    pages.hasMore && a3(Button, { kind: "quiet", onClick: pages.more, children: strings.more }),
    failure && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
    from && to && a3($, { children: [
      a3("div", { class: "compared", children: [
        a3(
          Select,
          {
            label: strings.history.from,
            value: String(from.version),
            options,
            onChange: (version) => choose({ ...chosen, from: Number(version) })
          }
        ),
        a3("span", { "aria-hidden": "true", children: "→" }),
        a3(
          Select,
          {
            label: strings.history.to,
            value: String(to.version),
            options,
            onChange: (version) => choose({ ...chosen, to: Number(version) })
          }
        )
      ] }),
      a3(Diff, { from: from.content, to: to.content })
    ] })
  ] });
}

// src/api/dry-run.ts
var NOTHING2 = { data: void 0, failure: void 0, isLoading: false };
var WAITING = { ...NOTHING2, isLoading: true };
var RETRY_DELAYS_S4 = [1, 2, 5, 10, 30];
function useDryRun(key, send2) {
  const [finished, set2] = d2();
  A2(() => {
    if (key === void 0) return;
    const controller = new AbortController();
    let timer;
    const attempt = (failures) => {
      send2(controller.signal).then(
        ({ data }) => set2({ key, result: { ...NOTHING2, data } }),
        (error) => {
          if (isAbort(error)) return;
          const failure = asFailure(error);
          set2({ key, result: { ...NOTHING2, failure } });
          if (!failure.isTransient || controller.signal.aborted) return;
          const wait = failure.retryAfter ?? RETRY_DELAYS_S4[Math.min(failures, RETRY_DELAYS_S4.length - 1)] ?? 30;
          timer = setTimeout(() => attempt(failures + 1), wait * 1e3);
        }
      );
    };
    attempt(0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  if (key === void 0) return NOTHING2;
  return finished?.key === key ? finished.result : WAITING;
}

// src/parts/confirm.tsx
function ErrorMessage({ failure }) {
  if (!failure) return null;
  return a3("p", { class: "fault", role: "alert", children: a3("bdi", { children: failureMessage(failure) }) });
}
function Confirm({ title, size: size2 = "wide", label, kind = "danger", act, onClose, children }) {
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy || label === void 0) return;
    setBusy(true);
    setFailure(void 0);
    try {
      if (await act() === false) setBusy(false);
      else onClose();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const { shown: shown2, hasFieldError } = typeof children === "function" ? children(failure) : { shown: children, hasFieldError: false };
  return a3(Dialog, { title, size: size2, onClose, children: a3("form", { onSubmit: (event) => void submit(event), children: [
    shown2,
    !hasFieldError && a3(ErrorMessage, { failure }),
    a3("footer", { children: [
      a3(Button, { onClick: onClose, autofocus: true, children: strings.cancel }),
      label !== void 0 && a3(Button, { kind, type: "submit", isBusy, children: label })
    ] })
  ] }) });
}

// src/drawer/redact-dialog.tsx
function RedactDialog({ count: count2, children, redact, onClose }) {
  const [reason, setReason] = d2("");
  const [isMissing, setMissing] = d2(false);
  const act = async () => {
    const given = reason.trim();
    setMissing(given === "");
    return given === "" ? false : redact(given);
  };
  return a3(Confirm, { title: strings.redact.title(count2), label: strings.redact.do(count2), act, onClose, children: (failure) => {
    const fault = isMissing && reason.trim() === "" ? strings.redact.missing : fieldError(failure, "reason");
    const shown2 = a3($, { children: [
      children,
      a3(Field, { label: strings.redact.reason, hint: strings.redact.reasonHint, fault, children: (attributes) => a3(
        "input",
        {
          ...attributes,
          type: "text",
          maxLength: 500,
          value: reason,
          onInput: (event) => setReason(event.currentTarget.value)
        }
      ) })
    ] });
    return { shown: shown2, hasFieldError: fault !== void 0 };
  } });
}

// src/drawer/redact-delete.tsx
var SHOWN = 280;
var NAMED = 4;
function Redact({ workspace, memory, onClose }) {
  const dryRun = useDryRun(memory.id, (signal) => dryRunRedaction(workspace.id, memory.id, signal));
  const readers = (dryRun.data?.readers ?? []).map(({ name, reads }) => [name, reads]);
  const redact = async (reason) => {
    await redactMemory(workspace.id, memory.id, { reason });
    afterRemoval(workspace, strings.redact.done(1));
  };
  return a3(RedactDialog, { count: 1, redact, onClose, children: [
    a3(FirstLines, { memory }),
    a3("div", { class: "effects", children: [
      a3("section", { children: [
        a3("h3", { children: strings.redact.deleted }),
        a3("ul", { children: strings.redact.deletedParts(memory.version - 1).map((each) => a3("li", { children: each }, each)) })
      ] }),
      a3("section", { children: [
        a3("h3", { children: strings.redact.retained }),
        a3("ul", { children: strings.redact.retainedParts.map((each) => a3("li", { children: each }, each)) })
      ] })
    ] }),
    a3(AffectedReaders, { workspace, memory }),
    dryRun.data && a3("p", { children: a3("bdi", { children: strings.redact.readers(readers, dryRun.data.runs?.length ?? 0, dryRun.data.readers_partial === true) }) })
  ] });
}
function DeleteMemory({ workspace, memory, onClose }) {
  const forget = async () => {
    await deleteMemory(workspace.id, memory.id);
    afterRemoval(workspace, strings.deletion.done);
  };
  return a3(Confirm, { title: strings.deletion.title, label: strings.deletion.do, act: forget, onClose, children: [
    a3(FirstLines, { memory }),
    a3("p", { children: strings.deletion.what }),
    a3(AffectedReaders, { workspace, memory })
  ] });
}
function afterRemoval(workspace, message) {
  showToast(message);
  invalidateWorkspace(workspace.id);
  invalidateTree();
}
function FirstLines({ memory }) {
  const isCut = memory.content.length > SHOWN;
  return a3("blockquote", { class: "first-lines", children: a3(Content, { text: isCut ? `${memory.content.slice(0, SHOWN)}…` : memory.content }) });
}
function AffectedReaders({ workspace, memory }) {
  const isAsked = memory.team === void 0 || memory.team === null;
  const reach2 = useResource(isAsked ? endpoint.reach(memory.workspace_id) : void 0);
  if (!reach2.data) return null;
  const readers = reach2.data.read_by.filter((row) => row.scope === memory.scope && row.via !== "self");
  const names = readers.slice(0, readers.length <= NAMED ? NAMED : NAMED - 1).map((row) => row.name);
  return a3("p", { children: a3("bdi", { children: strings.redact.affected(memory.workspace_name, names, readers.length, workspace.id === memory.workspace_id) }) });
}

// src/drawer/visibility.tsx
function Visibility({ workspace, memory, query: query2 }) {
  const relation = useResource(endpoint.relation(workspace.id, memory.workspace_id));
  const row = relation.data?.rows.find((each) => each.scope === memory.scope);
  return a3("details", { open: true, children: [
    a3("summary", { children: a3("h3", { children: strings.visibility.title }) }),
    relation.failure && a3(ErrorNotice, { failure: relation.failure }),
    row && a3("p", { class: "sentence", children: a3("bdi", { children: strings.visibility.sentence(workspace.name, memory.scope, memory.workspace_name, row.reads_reason) }) }),
    query2 !== "" && a3(Rank, { workspace, memory, query: query2 }),
    memory.team && a3("p", { class: "quiet", children: strings.visibility.bound }),
    a3(OtherReaders, { memory, workspace }),
    memory.via !== "self" && !isEmbedded && a3("p", { children: a3(Link, { to: `${workspacePath(workspace.id, "reach")}?with=${memory.workspace_id}`, children: strings.visibility.compare(workspace.name, memory.workspace_name) }) })
  ] });
}
function Rank({ workspace, memory, query: query2 }) {
  const cause = useResource(endpoint.why(workspace.id, memory.id, query2)).data;
  if (!cause) return null;
  const { rank, found } = cause;
  const isFound = rank !== void 0 && rank !== null && found !== void 0 && found !== null;
  const parameters = new URLSearchParams({ ask: memory.id, q: query2 });
  return a3("p", { children: a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${parameters}`, children: a3("bdi", { children: isFound ? strings.explain.rank(rank, found, query2) : asSentence(cause.reason) }) }) });
}
function OtherReaders({ workspace, memory }) {
  const isAsked = memory.team === void 0 || memory.team === null;
  const reach2 = useResource(isAsked ? endpoint.reach(memory.workspace_id) : void 0);
  if (!reach2.data) return null;
  const readers = reach2.data.read_by.filter((row) => row.scope === memory.scope && row.workspace_id !== workspace.id);
  if (readers.length === 0) return a3("p", { class: "quiet", children: strings.visibility.nobodyElse });
  const shown2 = readers.slice(0, 12);
  return a3($, { children: [
    a3("h4", { children: strings.visibility.others(readers.length) }),
    a3("ul", { class: "readers", children: [
      shown2.map((row) => a3("li", { title: row.reason, children: a3(Link, { to: workspacePath(row.workspace_id), children: a3("bdi", { children: row.name }) }) }, row.workspace_id)),
      readers.length > shown2.length && a3("li", { children: a3(Link, { to: workspacePath(memory.workspace_id, "reach"), children: strings.visibility.more(readers.length - shown2.length) }) })
    ] })
  ] });
}

// src/drawer/drawer.tsx
function Drawer({ me, workspace, id, query: query2, onClose }) {
  const memory = useResource(endpoint.memory(workspace.id, id));
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  const stays = memory.data !== void 0 && (memory.failure === void 0 || memory.failure.isTransient);
  return a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": strings.memory.title, children: [
    a3("header", { children: [
      a3("h2", { children: strings.memory.title }),
      memory.data && !memory.failure && a3(Copy, { text: memory.data.content, label: strings.memory.copy }),
      a3(IconButton, { label: strings.close, onClick: onClose, children: a3(CloseIcon, {}) })
    ] }),
    memory.failure && !stays && a3(UnreadableMemory, { workspace, id, failure: memory.failure }),
    !memory.data && !memory.failure && a3(Skeleton, { rows: 4 }),
    memory.data && stays && a3(MemoryDetails, { me, workspace, memory: memory.data, query: query2 })
  ] });
}
function MemoryDetails({ me, workspace, memory, query: query2 }) {
  const [doing, begin] = d2();
  const end = () => begin(void 0);
  const { can } = memory;
  const canEdit = can?.edit === true;
  useKeys({
    "e": () => canEdit && doing === void 0 ? begin("edit") : false,
    "r": () => can?.redact === true && doing === void 0 ? begin("redact") : false
  });
  return a3("div", { class: "drawer-body", children: [
    a3("p", { class: "drawer-facts", children: [
      a3(ScopeChip, { scope: memory.scope }),
      memory.pin && a3("span", { class: "pinned", children: [
        a3(Pin, {}),
        strings.memory.pinned
      ] }),
      a3("span", { class: "fact", children: memory.kind }),
      a3("span", { class: "fact", children: memory.namespace }),
      a3("span", { class: "fact", children: strings.memory.confidenceOf(memory.confidence) })
    ] }),
    doing === "edit" ? a3(Edit, { workspace, memory, onDone: end }) : a3($, { children: [
      a3("p", { class: "content", children: a3(Content, { text: memory.content, query: query2 }) }),
      a3(Actions, { me, workspace, memory, begin })
    ] }),
    doing === "file" && a3(AttributesForm, { workspace, memory, onDone: end }),
    doing === "redact" && a3(Redact, { workspace, memory, onClose: end }),
    doing === "forget" && a3(DeleteMemory, { workspace, memory, onClose: end }),
    memory.tags.length > 0 && a3("ul", { class: "tags", "aria-label": strings.memory.tags, children: memory.tags.map((tag) => a3("li", { children: a3(Link, { to: `${workspacePath(workspace.id)}?tag=${encodeURIComponent(tag)}`, children: a3("bdi", { children: [
      "#",
      tag
    ] }) }) }, tag)) }),
    a3(Visibility, { workspace, memory, query: query2 }),
    a3(Provenance, { workspace, memory }),
    a3(History, { workspace, memory, canEdit }),
    may(me, "read_access_log") && a3(Access, { workspace, id: memory.id }),
    a3(RawData, { workspace, memory })
  ] });
}
function Actions({ me, workspace, memory, begin }) {
  const { can } = memory;
  if (!can) return null;
  const no = can.why_not ?? {};
  const whys = /* @__PURE__ */ new Set();
  const offered = (action, isAllowed, why) => {
    if (!may(me, action)) return false;
    if (!isAllowed && why) whys.add(why);
    return isAllowed;
  };
  const canEdit = offered("write_memories", can.edit, no.edit);
  const canRedact = offered("redact_memories", can.redact, no.redact);
  const canForget = offered("forget_memories", can.delete, no.delete);
  if (!canEdit && !canRedact && !canForget && whys.size === 0) return null;
  return a3("div", { class: "actions", children: [
    canEdit && a3(Button, { onClick: () => begin("edit"), children: strings.edit.do }),
    canEdit && a3(Button, { onClick: () => void updateAttributes(workspace, memory, { pin: !memory.pin }, { pin: memory.pin }), children: memory.pin ? strings.attributes.unpin : strings.attributes.pin }),
    canEdit && a3(Button, { onClick: () => begin("file"), children: strings.attributes.do }),
    canRedact && a3(Button, { onClick: () => begin("redact"), children: strings.redact.ask }),
    canForget && a3(Button, { onClick: () => begin("forget"), children: strings.deletion.ask }),
    [...whys].map((why) => a3("p", { class: "quiet", children: a3("bdi", { children: asSentence(why) }) }, why))
  ] });
}
function Provenance({ workspace, memory }) {
  const rows = [
    [
      strings.memory.author,
      a3(Link, { to: workspacePath(memory.workspace_id), children: a3("bdi", { children: memory.workspace_name }) })
    ],
    [strings.memory.source, strings.memory.sourceOf(memory.source, memory.role)],
    [strings.memory.written, a3(Time, { at: memory.created_at })]
  ];
  if (memory.version > 1) {
    rows.push([strings.memory.changed, a3($, { children: [
      strings.memory.version(memory.version),
      ", ",
      a3(Time, { at: memory.updated_at })
    ] })]);
  }
  if (memory.expires_at) rows.push([strings.memory.expires, a3(Time, { at: memory.expires_at })]);
  if (memory.subject) rows.push([strings.memory.subject, a3(Filtered, { workspace, name: "subject", value: memory.subject })]);
  if (memory.session_id) {
    rows.push([strings.memory.session, a3(Filtered, { workspace, name: "session_id", value: memory.session_id })]);
  }
  if (memory.run_id) rows.push([strings.memory.run, a3(Filtered, { workspace, name: "run_id", value: memory.run_id })]);
  if (memory.supersedes) {
    rows.push([strings.memory.supersedes, a3(Link, { to: pathWith({ m: memory.supersedes }), children: memory.supersedes })]);
  }
  return a3("details", { open: true, children: [
    a3("summary", { children: a3("h3", { children: strings.memory.provenance }) }),
    a3("dl", { class: "facts-list", children: rows.map(([name, value]) => a3("div", { children: [
      a3("dt", { children: name }),
      a3("dd", { children: value })
    ] }, name)) })
  ] });
}
function Filtered({ workspace, name, value }) {
  return a3(Link, { to: `${workspacePath(workspace.id)}?${name}=${encodeURIComponent(value)}`, children: a3("bdi", { children: value }) });
}
function RawData({ workspace, memory }) {
  const root2 = new URL(endpoint.memory(workspace.id, memory.id).slice(1), new URL("..", document.baseURI)).href;
  return a3("details", { children: [
    a3("summary", { children: a3("h3", { children: strings.memory.rawData }) }),
    a3("p", { children: a3(Id, { id: memory.id }) }),
    a3(Snippet, { text: JSON.stringify(memory, null, 2), label: strings.memory.json }),
    a3(Snippet, { text: `curl -H "Authorization: Bearer $ORGMEM_TOKEN" ${root2}`, label: strings.memory.curl })
  ] });
}

// src/parts/debounce.ts
var PAUSE_MS = 150;
function useDebounced(text2) {
  const [settled, set2] = d2(text2);
  A2(() => {
    if (text2 === settled) return;
    const timer = setTimeout(() => set2(text2), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text2, settled]);
  return settled;
}

// src/parts/search-text.ts
function useSearchText() {
  const { query: query2 } = useRoute();
  const inAddress = query2.get("q") ?? "";
  const [text2, setText] = d2(inAddress);
  const typed = useDebounced(text2.trim());
  const put = T2(inAddress);
  A2(() => {
    if (put.current === typed) return;
    put.current = typed;
    goWith({ q: typed }, { replace: true });
  }, [typed]);
  A2(() => {
    if (put.current === inAddress) return;
    put.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  return { text: text2, setText, typed };
}

// src/memories/arrivals.ts
var NONE2 = /* @__PURE__ */ new Set();
var NOTHING3 = { count: 0, isMore: false };
function useArrivals(path, rows) {
  const [news, setNews] = d2(NOTHING3);
  const [gone, setGone] = d2(NONE2);
  const shown2 = T2(rows);
  shown2.current = rows;
  A2(() => {
    setNews(NOTHING3);
    let request;
    const look = async () => {
      request?.abort();
      request = new AbortController();
      try {
        const { data, next } = await api(path, { signal: request.signal });
        const count2 = arrived(data, shown2.current ?? []);
        setNews({ count: count2, isMore: count2 === data.length && next !== void 0 });
      } catch (error) {
        if (!isAbort(error)) setNews(NOTHING3);
      }
    };
    const end = onMemoriesChange((removed) => {
      if (removed.size > 0) setGone((known) => /* @__PURE__ */ new Set([...known, ...removed]));
      void look();
    });
    return () => {
      end();
      request?.abort();
    };
  }, [path]);
  A2(() => setNews(NOTHING3), [rows]);
  return { ...news, gone, apply: () => refresh(path) };
}
function arrived(found, rows) {
  const known = new Set(rows.map((row) => row.id));
  const newest = Math.max(0, ...rows.map((row) => Date.parse(row.created_at)));
  return found.filter((memory) => !known.has(memory.id) && Date.parse(memory.created_at) >= newest).length;
}

// src/memories/bulk.tsx
var SHOWN2 = 5;
function Bulk({ workspace, memories: memories3, can, isRedacting, redact, select }) {
  const [isTagging, tag] = d2(false);
  return a3("div", { class: "bulk", role: "group", "aria-label": strings.redact.selected(memories3.length), children: [
    a3("span", { role: "status", children: strings.redact.selected(memories3.length) }),
    a3(Button, { kind: "quiet", onClick: () => select(/* @__PURE__ */ new Set()), children: strings.redact.clearSelection }),
    can.tag && a3(Button, { onClick: () => tag(true), children: strings.tagging.ask }),
    can.redact && a3(Button, { onClick: () => redact(true), children: strings.redact.ask }),
    isTagging && a3(TagMany, { workspace, memories: memories3, onClose: () => tag(false), select }),
    isRedacting && a3(RedactMany, { workspace, memories: memories3, onClose: () => redact(false), select })
  ] });
}
function RedactMany({ workspace, memories: memories3, onClose, select }) {
  const [refused, setRefused] = d2([]);
  const redact = async (reason) => {
    const ids = memories3.map((memory) => memory.id);
    const { data } = await redactMemories(workspace.id, { memories: ids, reason });
    const left = data.items.flatMap((item, index) => refusedOf(item, memories3[index]));
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (data.redacted > 0) showToast(strings.redact.done(data.redacted));
    invalidateWorkspace(workspace.id);
    invalidateTree();
    return left.length === 0;
  };
  return a3(RedactDialog, { count: memories3.length, redact, onClose, children: [
    a3(FirstWords, { memories: memories3 }),
    a3("p", { children: strings.redact.many(memories3.length) }),
    a3(RefusedList, { refused })
  ] });
}
function TagMany({ workspace, memories: memories3, onClose, select }) {
  const [more, setMore] = d2("");
  const [less, setLess] = d2("");
  const [refused, setRefused] = d2([]);
  const [adds, drops] = [tagsOf(more), tagsOf(less)];
  const tag = async () => {
    const done = [];
    const left = [];
    for (const memory of memories3) {
      const tags = [.../* @__PURE__ */ new Set([...memory.tags, ...adds])].filter((each) => !drops.includes(each));
      try {
        const { data } = await editMemory(workspace.id, memory.id, { tags }, memory.version);
        done.push({ memory, version: data.version });
      } catch (error) {
        const failure = asFailure(error);
        if (failure.isTransient) throw failure;
        left.push({ memory, why: failure.message });
      }
    }
    const undo = async () => {
      const back = done.map(({ memory, version }) => editMemory(workspace.id, memory.id, { tags: memory.tags }, version));
      const failed = (await Promise.allSettled(back)).find((each) => each.status === "rejected");
      if (failed) showToast(failureMessage(asFailure(failed.reason)));
      invalidateWorkspace(workspace.id);
    };
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (done.length > 0) showToast(strings.tagging.done(done.length), { label: strings.attributes.undo, run: () => void undo() });
    invalidateWorkspace(workspace.id);
    return left.length === 0;
  };
  const isAsked = adds.length > 0 || drops.length > 0;
  const { title, add, remove } = strings.tagging;
  return a3(
    Confirm,
    {
      title: title(memories3.length),
      kind: "primary",
      label: isAsked ? strings.tagging.do(memories3.length) : void 0,
      act: tag,
      onClose,
      children: [
        a3(FirstWords, { memories: memories3 }),
        a3("div", { class: "columns", children: [
          a3(Field, { label: add, hint: strings.attributes.tagsHint, children: (attributes) => a3("input", { ...attributes, type: "text", value: more, onInput: (event) => setMore(event.currentTarget.value) }) }),
          a3(Field, { label: remove, hint: strings.attributes.tagsHint, children: (attributes) => a3("input", { ...attributes, type: "text", value: less, onInput: (event) => setLess(event.currentTarget.value) }) })
        ] }),
        a3(RefusedList, { refused })
      ]
    }
  );
}
var tagsOf = (typed) => typed.split(",").map((tag) => tag.trim()).filter(Boolean);
function FirstWords({ memories: memories3 }) {
  return a3("ul", { class: "first-lines many", children: [
    memories3.slice(0, SHOWN2).map((memory) => a3("li", { children: a3(Content, { text: memory.content.slice(0, 120) }) }, memory.id)),
    memories3.length > SHOWN2 && a3("li", { class: "quiet", children: strings.access.more(memories3.length - SHOWN2) })
  ] });
}
function RefusedList({ refused }) {
  if (refused.length === 0) return null;
  return a3("div", { class: "notice", role: "alert", children: [
    a3("p", { children: strings.redact.refused(refused.length) }),
    a3("ul", { children: refused.map(({ memory, why }) => a3("li", { children: [
      a3("bdi", { children: memory.content.slice(0, 60) }),
      " – ",
      a3("bdi", { children: asSentence(why) })
    ] }, memory.id)) })
  ] });
}
function refusedOf(item, memory) {
  return memory && "refused" in item ? [{ memory, why: item.refused.detail }] : [];
}

// src/memories/filters.ts
var FILTERS = [
  "namespace",
  "kind",
  "source",
  "tag",
  "author",
  "subject",
  "session_id",
  "run_id",
  "since",
  "until",
  "min_confidence"
];
var SOURCES = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"];
var SCOPES = ["LOCAL", "TEAM", "GLOBAL"];
var isAgentView = (query2) => query2.get("eyes") === "agent";
function searchParameters(query2, text2) {
  const names = [...FILTERS, "scope", "mode", "order"];
  const given = names.map((name) => [name, query2.get(name) ?? void 0]);
  const quoted = isAgentView(query2) ? "true" : void 0;
  const explain = text2 === "" ? void 0 : quoted;
  return { ...Object.fromEntries(given), q: text2 === "" ? void 0 : text2, quoted, explain };
}
function activeFilters(query2, nameOf3) {
  const given = FILTERS.map((name) => [name, query2.get(name)]);
  return given.flatMap(([name, value]) => value === null ? [] : [[name, filterText(name, value, nameOf3)]]);
}
function filterText(name, value, nameOf3) {
  switch (name) {
    case "author":
      return strings.filters.sentences.author(nameOf3(value));
    case "since":
    case "until":
      return strings.filters.sentences[name](short(value));
    default:
      return strings.filters.sentences[name](value);
  }
}
function parseFilterValue(name, typed) {
  const text2 = typed.trim();
  if (name !== "since" && name !== "until") return text2 === "" ? void 0 : text2;
  const instant = new Date(text2);
  return Number.isNaN(instant.getTime()) ? void 0 : instant.toISOString();
}

// src/memories/mode.tsx
var PROBE = { mode: "semantic", limit: 1, profile_id: "00000000-0000-0000-0000-000000000000" };
function ModeMenu({ workspace }) {
  const { query: query2 } = useRoute();
  const mode = query2.get("mode") ?? "";
  const [isRequested, setRequested] = d2(mode !== "");
  const { failure } = useResource(isRequested ? endpoint.memories(workspace, PROBE) : void 0);
  const why = failure?.problem.code === "not_configured" ? failureMessage(failure) : void 0;
  const { title, keyword, semantic } = strings.modes;
  return a3(
    "select",
    {
      "aria-label": title,
      title: why ?? title,
      value: mode,
      onPointerEnter: () => setRequested(true),
      onFocus: () => setRequested(true),
      onChange: (event) => goWith({ mode: event.currentTarget.value }, { replace: true }),
      children: [
        keyword.map(([each, label]) => a3("option", { value: each, selected: each === mode, children: label }, each)),
        a3("optgroup", { label: why ?? strings.modes.withEmbedder, disabled: why !== void 0, children: semantic.map(([each, label]) => a3("option", { value: each, selected: each === mode, children: label }, each)) })
      ]
    }
  );
}

// src/memories/rows.ts
var ROWS = "[data-row]";
function moveFocus(list, step, more = () => {
}) {
  const rows = [...list?.querySelectorAll(ROWS) ?? []];
  const place = rows.findIndex((row) => row === document.activeElement || row.classList.contains("open"));
  const focused = rows.findIndex((row) => row === document.activeElement);
  const from = focused >= 0 ? focused : place;
  const target = rows[from < 0 ? 0 : from + step];
  if (!target) return step > 0 ? more() : void 0;
  target.focus();
  target.scrollIntoView({ block: "nearest" });
}
function focusRow(list, id) {
  if (id !== void 0) list?.querySelector(`[data-row="${CSS.escape(id)}"]`)?.focus();
}
function focusListOnArrowDown(go2) {
  return (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    go2();
  };
}

// src/memories/filter-bar.tsx
function FilterBar({ workspace, text: text2, onText, field, onDown, nameOf: nameOf3, canWrite, canViewAsAgent, countPath }) {
  const { query: query2 } = useRoute();
  const scope = query2.get("scope") ?? void 0;
  const filters = activeFilters(query2, nameOf3);
  const [wantsCounts, setWantsCounts] = d2(false);
  const counts = wantsCounts || filters.length > 0 || scope !== void 0 || text2 !== "";
  return a3("div", { class: "filter-bar", children: [
    a3("div", { class: "filter-line", children: [
      a3("div", { class: `search ${text2 === "" ? "" : "with-mode"}`, children: [
        a3("label", { children: [
          a3(SearchIcon, {}),
          a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: strings.memories.search,
              "aria-label": strings.memories.search,
              spellcheck: false,
              value: text2,
              onInput: (event) => onText(event.currentTarget.value),
              onKeyDown: focusListOnArrowDown(onDown)
            }
          )
        ] }),
        text2 !== "" && a3(ModeMenu, { workspace })
      ] }),
      a3(
        "div",
        {
          class: "segments scopes",
          role: "group",
          "aria-label": strings.memories.scope,
          onPointerEnter: () => setWantsCounts(true),
          onFocusCapture: () => setWantsCounts(true),
          children: [void 0, ...SCOPES].map((each) => a3(ScopeButton, { scope: each, current: scope, countPath: each === void 0 || counts ? countPath(each) : void 0 }, each ?? ""))
        }
      ),
      a3(
        Select,
        {
          label: strings.memories.order,
          value: query2.get("order") ?? "",
          options: text2 === "" ? strings.memories.listOrders : strings.memories.searchOrders,
          onChange: (order) => goWith({ order }, { replace: true })
        }
      ),
      a3(AddFilter, {}),
      canViewAsAgent && a3(
        "button",
        {
          type: "button",
          class: "button",
          "aria-pressed": isAgentView(query2),
          title: strings.agentView.hint,
          onClick: () => goWith({ eyes: isAgentView(query2) ? void 0 : "agent" }, { replace: true }),
          children: strings.agentView.do
        }
      ),
      canWrite && a3(Button, { kind: "primary", class: "write", onClick: () => goWith({ write: "1" }), children: [
        a3(PlusIcon, {}),
        strings.write.do
      ] })
    ] }),
    filters.length > 0 && a3("ul", { class: "chips", "aria-label": strings.filters.title, children: filters.map(([name, sentence]) => a3("li", { children: a3(Chip, { onRemove: () => goWith({ [name]: void 0 }, { replace: true }), children: a3("bdi", { children: sentence }) }) }, name)) })
  ] });
}
function ScopeButton({ scope, current: current4, countPath }) {
  const count2 = useResource(countPath).data?.count;
  return a3(
    "button",
    {
      type: "button",
      class: scope ? `as-scope ${scope.toLowerCase()}` : "",
      "aria-pressed": scope === current4,
      onClick: () => goWith({ scope }, { replace: true }),
      children: [
        scope && a3(ScopeSign, { scope }),
        scope ?? strings.memories.allScopes,
        a3("span", { class: "segment-count", children: count2 ?? "" })
      ]
    }
  );
}
function AddFilter() {
  const menu = T2(null);
  const button = T2(null);
  const [name, setName] = d2("namespace");
  const [value, setValue] = d2("");
  const [fault, setFault] = d2();
  const add = (event) => {
    event.preventDefault();
    const common = parseFilterValue(name, name === "source" && value === "" ? SOURCES[0] : value);
    if (common === void 0) return setFault(strings.filters.missing);
    goWith({ [name]: common }, { replace: true });
    setValue("");
    setFault(void 0);
    menu.current?.hidePopover();
  };
  return a3($, { children: [
    a3("button", { type: "button", class: "button", popovertarget: "add-filter", ref: button, children: [
      a3(PlusIcon, {}),
      strings.filters.add
    ] }),
    a3("div", { id: "add-filter", class: "menu", popover: "auto", ref: menu, onBeforeToggle: () => placeBelow(menu.current, button.current), children: a3("form", { onSubmit: add, children: [
      a3(Field, { label: strings.filters.which, children: ({ id }) => a3(
        Select,
        {
          id,
          value: name,
          options: FILTERS.map((each) => [each, strings.filters.names[each]]),
          onChange: (each) => {
            setName(each);
            setValue("");
            setFault(void 0);
          }
        }
      ) }),
      a3(Field, { label: strings.filters.value, hint: strings.filters.hints[name], fault, children: (attributes) => a3(ValueField, { attributes, name, value, onChange: setValue }) }),
      a3(Button, { kind: "primary", type: "submit", children: strings.filters.add })
    ] }) })
  ] });
}
function placeBelow(menu, button) {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 288))}px`;
}
function ValueField({ attributes, name, value, onChange }) {
  if (name === "source") {
    return a3(Select, { ...attributes, value, options: SOURCES.map((each) => [each, each]), onChange });
  }
  const common = { ...attributes, value, onInput: (event) => onChange(event.currentTarget.value) };
  if (name === "since" || name === "until") return a3("input", { ...common, type: "datetime-local" });
  if (name === "min_confidence") return a3("input", { ...common, type: "number", min: 0, max: 1, step: 0.05 });
  return a3("input", { ...common, type: "text", spellcheck: false });
}

// src/parts/score.tsx
function Score({ score, parts: parts2 }) {
  return a3("details", { class: "score", children: [
    a3("summary", { children: strings.score.of(score) }),
    a3(ScoreParts, { parts: parts2 })
  ] });
}
function Similarity({ value }) {
  return a3("span", { title: strings.score.similarityHint, children: strings.score.similarity(value) });
}
function ScoreParts({ parts: parts2 }) {
  if (parts2.length === 0) return null;
  return a3("table", { class: "score-parts", "aria-label": strings.score.parts, children: a3("tbody", { children: parts2.map(({ part, value }) => a3("tr", { children: [
    a3("th", { scope: "row", children: strings.score.names[part] }),
    a3("td", { class: "number", children: value.toFixed(3) })
  ] }, part)) }) });
}

// src/memories/agent-row.tsx
function AgentRow({ memory, place, isOpen }) {
  const { score, via, explanation, similarity_score: similarity } = memory;
  return a3("li", { children: [
    a3(
      Link,
      {
        to: pathWith({ m: memory.id }),
        class: `memory ${isOpen ? "open" : ""}`,
        "aria-current": isOpen ? "page" : void 0,
        "data-row": memory.id,
        children: [
          a3("span", { class: "place", children: place }),
          a3("span", { class: "agent-text", children: a3("bdi", { children: memory.content }) })
        ]
      }
    ),
    a3("p", { class: "memory-facts", children: [
      a3(ScopeChip, { scope: memory.scope }),
      a3("span", { children: strings.agentView.via[via] }),
      a3(Copy, { text: memory.content, label: strings.agentView.copy }),
      similarity !== void 0 && similarity !== null && a3(Similarity, { value: similarity }),
      score !== void 0 && score !== null && a3(Score, { score, parts: explanation?.parts ?? [] })
    ] })
  ] });
}

// src/memories/row.tsx
var SHOWN3 = 400;
function MemoryRow({ memory, query: query2, isOpen, isSelected, onSelect }) {
  const now = useNow();
  const author = memory.via === "self" ? void 0 : memory.workspace_name;
  const facts = [memory.kind, memory.namespace, ...memory.tags.slice(0, 3).map((tag) => `#${tag}`)];
  return a3("li", { class: isSelected ? "selected" : "", children: [
    onSelect && a3(
      "input",
      {
        type: "checkbox",
        class: "select-row",
        tabIndex: -1,
        "aria-label": strings.memories.select,
        checked: isSelected,
        onChange: onSelect
      }
    ),
    a3(
      Link,
      {
        to: pathWith({ m: memory.id }),
        class: `memory ${isOpen ? "open" : ""}`,
        "aria-current": isOpen ? "page" : void 0,
        "data-row": memory.id,
        children: [
          a3("span", { class: "memory-text", children: a3(Content, { text: memory.content.slice(0, SHOWN3), query: query2 }) }),
          a3("span", { class: "memory-facts", children: [
            a3(ScopeChip, { scope: memory.scope, of: author }),
            memory.pin && a3("span", { class: "pinned", children: [
              a3(Pin, {}),
              strings.memory.pinned
            ] }),
            facts.map((fact, index) => a3("span", { class: "fact", children: a3("bdi", { children: fact }) }, `${index} ${fact}`)),
            memory.similarity_score !== void 0 && memory.similarity_score !== null && a3(Similarity, { value: memory.similarity_score }),
            memory.expires_at && a3("span", { class: "expires", children: strings.memory.expiresIn(distance(now, Date.parse(memory.expires_at))) })
          ] }),
          a3("span", { class: "memory-side", children: [
            a3(Time, { at: memory.created_at, brief: true }),
            a3("span", { class: "confidence", title: strings.memory.confidence, children: memory.confidence.toFixed(2) })
          ] })
        ]
      }
    )
  ] });
}

// src/memories/audience.ts
function audience(reach2, scope) {
  const readers = reach2.read_by.filter((row) => row.scope === scope && row.via !== "self");
  if (readers.length === 0) return strings.audience.none;
  const by = (via) => readers.filter((row) => row.via === via);
  if (by("org").length > 0) return strings.audience.org(readers.length);
  const parts2 = [
    ...by("child").map((row) => strings.audience.parent(row.name)),
    named(by("sibling"), strings.audience.siblings),
    named(by("parent"), strings.audience.children)
  ];
  return strings.audience.list(parts2.filter(Boolean));
}
function named(rows, counted) {
  if (rows.length > 2) return counted(rows.length);
  return rows.map((row) => row.name).join(", ");
}

// src/memories/write.tsx
var FIELDS = ["content", "scope", "namespace", "kind", "confidence", "tags", "ttl_seconds"];
function Write({ workspace, onClose }) {
  const [content, setContent] = d2("");
  const [scope, setScope] = d2("LOCAL");
  const [namespace, setNamespace] = d2("");
  const [kind, setKind] = d2("");
  const [tags, setTags] = d2("");
  const [confidence, setConfidence] = d2("");
  const [ttl, setTtl] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const memory = {
      content,
      scope,
      tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean),
      ...namespace.trim() === "" ? {} : { namespace: namespace.trim() },
      ...kind.trim() === "" ? {} : { kind: kind.trim() },
      ...confidence === "" ? {} : { confidence: Number(confidence) },
      ...ttl === "" ? {} : { ttl_seconds: Number(ttl) }
    };
    try {
      const { data } = await commitMemory(workspace.id, memory);
      showToast(saved(data));
      invalidateWorkspace(workspace.id);
      invalidateTree();
      goWith({ write: void 0, m: data.id });
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const other = failure && !FIELDS.some((field) => fieldError(failure, field) !== void 0);
  return a3(Dialog, { title: strings.write.title(workspace.name), onClose, children: a3(
    "form",
    {
      onSubmit: (event) => void submit(event),
      onKeyDown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
      },
      children: [
        a3(Field, { label: strings.write.content, fault: fieldError(failure, "content"), children: (attributes) => a3(
          "textarea",
          {
            ...attributes,
            rows: 6,
            autofocus: true,
            required: true,
            value: content,
            onInput: (event) => setContent(event.currentTarget.value)
          }
        ) }),
        a3(ScopeChoice, { workspace, value: scope, onChange: setScope }),
        a3("div", { class: "columns", children: [
          a3(TextField, { name: "namespace", value: namespace, onChange: setNamespace, failure, placeholder: "general" }),
          a3(TextField, { name: "kind", value: kind, onChange: setKind, failure, placeholder: "fact" }),
          a3(TextField, { name: "tags", value: tags, onChange: setTags, failure, placeholder: strings.write.tagsExample }),
          a3(Field, { label: strings.write.fields.confidence, fault: fieldError(failure, "confidence"), children: (attributes) => a3(
            "input",
            {
              ...attributes,
              type: "number",
              min: 0,
              max: 1,
              step: 0.05,
              placeholder: "0.5",
              value: confidence,
              onInput: (event) => setConfidence(event.currentTarget.value)
            }
          ) }),
          a3(Field, { label: strings.write.expiry, fault: fieldError(failure, "ttl_seconds"), children: ({ id }) => a3(Select, { id, value: ttl, options: strings.lifetimes, onChange: setTtl }) })
        ] }),
        other && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
        a3("footer", { children: [
          a3(Button, { onClick: onClose, children: strings.cancel }),
          a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.write.do })
        ] })
      ]
    }
  ) });
}
function TextField({ name, value, onChange, failure, placeholder }) {
  return a3(Field, { label: strings.write.fields[name], fault: fieldError(failure, name), children: (attributes) => a3(
    "input",
    {
      ...attributes,
      type: "text",
      placeholder,
      value,
      onInput: (event) => onChange(event.currentTarget.value)
    }
  ) });
}
function ScopeChoice({ workspace, value, onChange }) {
  const reach2 = useResource(endpoint.reach(workspace.id)).data;
  const itself = useResource(endpoint.relation(workspace.id, workspace.id)).data;
  return a3("fieldset", { class: "scope-choice", children: [
    a3("legend", { children: strings.write.scope }),
    SCOPES.map((scope) => {
      const row = itself?.rows.find((each) => each.scope === scope);
      const isRefused = row?.read_by === false;
      return a3("label", { class: `choice ${scope.toLowerCase()} ${isRefused ? "refused-choice" : ""}`, children: [
        a3(
          "input",
          {
            type: "radio",
            name: "scope",
            checked: value === scope,
            disabled: isRefused,
            onChange: () => onChange(scope)
          }
        ),
        a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
          a3(ScopeSign, { scope }),
          scope
        ] }),
        a3("span", { class: "choice-text", children: a3("bdi", { children: isRefused ? row.read_by_reason : reach2 ? audience(reach2, scope) : "" }) })
      ] }, scope);
    })
  ] });
}
function saved(memory) {
  const replaced = memory.redactions.map((each) => strings.write.replaced(each.count, each.kind));
  return replaced.length === 0 ? strings.write.saved : `${strings.write.saved} ${strings.write.scrubbed(replaced.join(", "))}`;
}

// src/memories/memories.tsx
function Memories({ me, workspace }) {
  const { query: query2 } = useRoute();
  const list = T2(null);
  const field = T2(null);
  const { text: text2, setText, typed } = useSearchText();
  const wanted = searchParameters(query2, typed);
  const path = endpoint.memories(workspace.id, wanted);
  const pages = usePages(path);
  const arrivals = useArrivals(path, pages.isStale ? void 0 : pages.rows);
  const rows = pages.rows?.filter((memory) => !arrivals.gone.has(memory.id));
  const [selected, select] = d2(NO_SELECTION);
  const [isRedacting, redact] = d2(false);
  const canRedact = may(me, "redact_memories");
  const canWrite = may(me, "write_memories");
  const isAgent = isAgentView(query2);
  const isAgentList = T2(isAgent);
  if (!pages.isStale) isAgentList.current = isAgent;
  const canSelect = (canRedact || canWrite) && !isAgent;
  A2(() => select(NO_SELECTION), [workspace.id, path]);
  const pick = (isTo) => {
    const id = document.activeElement?.dataset.row ?? open2;
    if (!canSelect || id === void 0 || !rows?.some((memory) => memory.id === id)) return false;
    return select(isTo ? upTo(rows, selected, id) : toggled(selected, id));
  };
  const open2 = query2.get("m") ?? void 0;
  const close = () => {
    goWith({ m: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "x": () => pick(false),
    "Shift+x": () => pick(true),
    ".": () => arrivals.count > 0 ? arrivals.apply() : false,
    "r": () => selected.size > 0 && canRedact ? redact(true) : false,
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "o": () => document.activeElement?.click(),
    "w": () => canWrite ? goWith({ write: "1" }) : false,
    "y": () => open2 === void 0 ? false : void copy(open2),
    "Escape": () => {
      if (open2 !== void 0) return close();
      if (selected.size > 0) return select(NO_SELECTION);
      if (text2 === "" && !FILTERS.some((name) => query2.has(name))) return false;
      setText("");
      goWith(withoutFilters(), { replace: true });
    }
  });
  const names = new Map(rows?.map((memory) => [memory.workspace_id, memory.workspace_name]));
  const nameOf3 = (id) => id === workspace.id ? workspace.name : names.get(id) ?? id;
  return a3("div", { class: `with-drawer ${open2 === void 0 ? "" : "drawn"}`, children: [
    a3("section", { class: "list", "aria-label": strings.tabs.memories, children: [
      a3("div", { class: "list-head", children: a3(
        FilterBar,
        {
          workspace: workspace.id,
          text: text2,
          onText: setText,
          field,
          onDown: () => moveFocus(list.current, 1),
          canViewAsAgent: me.role !== "agent",
          nameOf: nameOf3,
          canWrite,
          countPath: (scope) => rows ? countPathOf(workspace.id, { ...wanted, scope }) : void 0
        }
      ) }),
      selected.size > 0 && a3(
        Bulk,
        {
          workspace,
          memories: rows?.filter((memory) => selected.has(memory.id)) ?? [],
          can: { redact: canRedact, tag: canWrite },
          isRedacting,
          redact,
          select
        }
      ),
      arrivals.count > 0 && a3("button", { type: "button", class: "arrivals", onClick: arrivals.apply, children: [
        strings.live.arrived(arrivals.count, arrivals.isMore),
        " ",
        a3("kbd", { children: "." })
      ] }),
      a3("span", { class: "unseen", role: "status", children: arrivals.count > 0 ? strings.live.announced(arrivals.count, arrivals.isMore) : "" }),
      a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, children: [
        a3("span", { class: "unseen", role: "status", children: rows && !pages.isLoading && typed !== "" ? strings.memories.shown(rows.length, pages.hasMore) : "" }),
        pages.failure && a3(ErrorNotice, { failure: pages.failure }),
        !rows && !pages.failure && a3(Skeleton, {}),
        rows?.length === 0 && !pages.isStale && a3(NoMemories, { workspace, nameOf: nameOf3, canWrite, wanted }),
        rows && rows.length > 0 && a3("ul", { class: `memories ${selected.size > 0 ? "selecting" : ""} ${isAgentList.current ? "agent-list" : ""}`, ref: list, children: rows.map(
          (memory, index) => isAgentList.current ? a3(
            AgentRow,
            {
              memory,
              place: index + 1,
              isOpen: memory.id === open2
            },
            memory.id
          ) : a3(
            MemoryRow,
            {
              memory,
              query: typed,
              isOpen: memory.id === open2,
              isSelected: selected.has(memory.id),
              onSelect: canSelect ? () => select(toggled(selected, memory.id)) : void 0
            },
            memory.id
          )
        ) }),
        rows && rows.length > 0 && typed !== "" && !pages.isStale && !isEmbedded && a3("p", { class: "quiet missing", children: a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: "", q: typed })}`, children: strings.explain.missing }) }),
        pages.hasMore && a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
      ] })
    ] }),
    open2 !== void 0 && a3(Drawer, { me, workspace, id: open2, query: typed, onClose: close }, open2),
    query2.has("write") && canWrite && a3(Write, { workspace, onClose: () => goWith({ write: void 0 }) })
  ] });
}
var NO_SELECTION = /* @__PURE__ */ new Set();
function toggled(selected, id) {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
function upTo(rows, selected, id) {
  const ids = rows.map((memory) => memory.id);
  const last = [...selected].at(-1);
  const [from, to] = [last === void 0 ? ids.indexOf(id) : ids.indexOf(last), ids.indexOf(id)];
  return /* @__PURE__ */ new Set([...selected, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]);
}
function countPathOf(workspace, { order, quoted, explain, ...filters }) {
  return endpoint.count(workspace, filters);
}
function NoMemories({ workspace, nameOf: nameOf3, canWrite, wanted }) {
  const { query: query2 } = useRoute();
  const filters = activeFilters(query2, nameOf3);
  const isNarrowed2 = filters.length > 0 || query2.has("q") || query2.has("scope");
  if (!isNarrowed2) {
    return a3(Empty, { title: strings.memories.none(workspace.name), children: [
      a3("p", { children: strings.memories.how }),
      a3(Snippet, { text: 'commit_memory({ "content": "…", "scope": "TEAM" })', label: strings.memories.how }),
      canWrite && a3(Button, { onClick: () => goWith({ write: "1" }), children: strings.write.do })
    ] });
  }
  const scope = query2.get("scope");
  const q2 = query2.get("q");
  const all = [
    ...scope === null ? [] : [["scope", scope]],
    ...filters,
    ...q2 === null ? [] : [["q", `“${q2}”`]]
  ];
  return a3(Empty, { title: strings.memories.nothingMatches, children: a3("ul", { class: "remove-filters", children: all.map(([name, sentence]) => a3("li", { children: a3(Without, { workspace, wanted, name, sentence }) }, name)) }) });
}
function Without({ workspace, wanted, name, sentence }) {
  const count2 = useResource(countPathOf(workspace.id, { ...wanted, [name]: void 0 })).data?.count;
  return a3(Button, { onClick: () => goWith({ [name]: void 0 }), children: [
    strings.filters.without(sentence),
    a3("span", { class: "number", children: count2 ?? strings.unknown })
  ] });
}
function withoutFilters() {
  return Object.fromEntries([...FILTERS, "q", "scope"].map((name) => [name, void 0]));
}

// src/embed/page.tsx
function Embedded() {
  const { screen } = useRoute();
  const id = screen.name === "workspace" ? screen.id : "";
  useTitle(strings.tabs.memories);
  if (parent === window) return a3(OpenedDirectly, { id });
  return a3($, { children: [
    a3(TokenNotice, {}),
    a3(MemoryTab, { id }),
    a3(Toasts, {})
  ] });
}
function MemoryTab({ id }) {
  const me = useResource(endpoint.me);
  const workspace = useResource(endpoint.workspace(id));
  const live = useLive(workspace.data && endpoint.events(id));
  const failure = me.failure ?? workspace.failure;
  const isLoaded = me.data !== void 0 && workspace.data !== void 0;
  return a3("main", { id: "main", class: "work of-list embedded", tabIndex: -1, children: [
    a3("h1", { class: isLoaded ? "unseen" : "", children: a3("bdi", { children: workspace.data ? strings.embed.title(workspace.data.name) : strings.tabs.memories }) }),
    live === "waiting" && a3(LiveIndicator, { state: live }),
    !isLoaded && failure && a3(ErrorNotice, { failure }),
    !isLoaded && !failure && a3(Skeleton, {}),
    me.data && workspace.data && a3(Memories, { me: me.data, workspace: workspace.data })
  ] });
}
function TokenNotice() {
  const [, redraw] = d2(0);
  const ref = T2(null);
  A2(
    () => hostToken.listen(() => {
      if (hostToken.hasToken) invalidateAll();
      redraw((count2) => count2 + 1);
    }),
    []
  );
  const { hasToken, rejection } = hostToken;
  A2(() => void ref.current?.togglePopover(rejection !== void 0), [rejection]);
  return a3($, { children: [
    a3("p", { class: "token-notice", role: "alert", popover: "manual", ref, children: rejection !== void 0 && a3("bdi", { children: strings.embed.ended(asSentence(rejection)) }) }),
    !hasToken && rejection === void 0 && a3("p", { class: "token-notice-first", children: strings.embed.waiting })
  ] });
}
function OpenedDirectly({ id }) {
  return a3("main", { id: "main", class: "alone", children: [
    a3("img", { src: "icon.svg", alt: "", width: "40", height: "40" }),
    a3("h1", { children: strings.embed.direct }),
    a3("p", { children: strings.embed.how }),
    FRAMERS?.length === 0 && a3("p", { class: "notice", children: strings.embed.noOrigins }),
    a3("p", { children: a3("a", { href: new URL(`w/${id}/memories`, CONSOLE).href, children: strings.embed.inConsole }) })
  ] });
}

// src/audit/screen.tsx
function Audit({ me }) {
  useTitle(strings.access.audit);
  const own = me.workspace_id ?? void 0;
  const tree = useResource(own === void 0 ? endpoint.orgs : void 0);
  const orgs = tree.data?.orgs;
  const only = own ?? (orgs?.length === 1 ? orgs[0]?.org_id : void 0);
  A2(() => {
    if (only !== void 0) go(workspacePath(only, "access"), { replace: true });
  }, [only]);
  return a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    a3("h1", { children: strings.access.audit }),
    tree.failure && a3(ErrorNotice, { failure: tree.failure }),
    !orgs && !tree.failure && a3(Skeleton, { rows: 3, height: 32 }),
    orgs && orgs.length !== 1 && a3($, { children: [
      a3("p", { children: strings.access.which }),
      a3("ul", { class: "orgs", children: orgs.map((org) => a3("li", { children: a3(Link, { to: workspacePath(org.org_id, "access"), children: a3("bdi", { children: org.name }) }) }, org.org_id)) })
    ] })
  ] });
}

// src/screens/import.tsx
var YAML = "application/yaml";
function Import({ onClose }) {
  const [text2, setText] = d2("");
  const [answer, setAnswer] = d2();
  const change = (now) => {
    setText(now);
    setAnswer(void 0);
  };
  const act = async () => {
    const { data } = await importOrg(text2, YAML, answer === void 0);
    if (answer !== void 0) return arrived2(data);
    setAnswer(data);
    return false;
  };
  const { title, preview, text: textLabel, file, hint } = strings.import;
  return a3(
    Confirm,
    {
      title,
      kind: "primary",
      label: text2.trim() === "" ? void 0 : answer ? strings.import.do(answer.workspaces_created) : preview,
      act,
      onClose,
      children: [
        a3(Field, { label: file, children: (attributes) => a3(
          "input",
          {
            ...attributes,
            type: "file",
            accept: ".yaml,.yml,.json",
            onChange: (event) => void event.currentTarget.files?.[0]?.text().then(change)
          }
        ) }),
        a3(Field, { label: textLabel, hint, children: (attributes) => a3(
          "textarea",
          {
            ...attributes,
            class: "code",
            rows: 10,
            spellcheck: false,
            placeholder: strings.import.example,
            value: text2,
            onInput: (event) => change(event.currentTarget.value)
          }
        ) }),
        answer && a3(ImportPreview, { answer })
      ]
    }
  );
}
function ImportPreview({ answer }) {
  const rows = [
    [strings.system.workspaces, answer.workspaces_created, answer.workspaces_kept],
    [strings.system.memories, answer.memories_committed, answer.memories_kept],
    [strings.system.entries, answer.entries_put, void 0],
    [strings.system.episodes, answer.episodes_appended, void 0]
  ];
  return a3("table", { class: "table import-preview", role: "status", "aria-label": strings.import.previewTitle, children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: strings.import.previewTitle }),
      a3("th", { scope: "col", class: "number", children: strings.import.isNew }),
      a3("th", { scope: "col", class: "number", children: strings.import.existing })
    ] }) }),
    a3("tbody", { children: rows.map(([name, added, kept]) => a3("tr", { children: [
      a3("th", { scope: "row", children: name }),
      a3("td", { class: "number", children: added }),
      a3("td", { class: "number", children: kept ?? strings.unknown })
    ] }, name)) })
  ] });
}
async function loadDemo() {
  const { data } = await api(endpoint.demo);
  arrived2((await importOrg(JSON.stringify(data), "application/json", false)).data);
}
function arrived2(answer) {
  showToast(strings.import.done(answer.workspaces_created, answer.memories_committed));
  invalidateTree();
  go(workspacePath(answer.org_id));
}

// src/screens/new-workspace.tsx
function NewWorkspace({ title, onClose, create }) {
  const [name, setName] = d2("");
  const [role, setRole] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const { data } = await create(name, role.trim());
      invalidateTree();
      onClose();
      go(workspacePath(data.id));
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const nameFault = fieldError(failure, "name");
  const roleFault = fieldError(failure, "role");
  return a3(Dialog, { title, size: "narrow", onClose, children: a3("form", { onSubmit: (event) => void submit(event), children: [
    a3(Field, { label: strings.workspace.name, fault: nameFault, children: (attributes) => a3(
      "input",
      {
        ...attributes,
        type: "text",
        autofocus: true,
        required: true,
        maxLength: 200,
        value: name,
        onInput: (event) => setName(event.currentTarget.value)
      }
    ) }),
    a3(Field, { label: strings.workspace.role, hint: strings.workspace.roleHint, fault: roleFault, children: (attributes) => a3("input", { ...attributes, type: "text", value: role, onInput: (event) => setRole(event.currentTarget.value) }) }),
    failure && !nameFault && !roleFault && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
    a3("footer", { children: [
      a3(Button, { onClick: onClose, children: strings.cancel }),
      a3(Button, { kind: "primary", type: "submit", isBusy, children: title })
    ] })
  ] }) });
}

// src/screens/home.tsx
function Home({ me }) {
  const own = me.workspace_id ?? void 0;
  A2(() => {
    if (own !== void 0) go(workspacePath(own), { replace: true });
  }, [own]);
  return own === void 0 ? a3(Orgs, { me }) : a3("main", { id: "main", class: "work", tabIndex: -1 });
}
function Orgs({ me }) {
  useTitle(strings.orgs.title);
  const tree = useResource(endpoint.orgs);
  const [doing, begin] = d2();
  const [failure, setFailure] = d2();
  const [isLoading, setLoading] = d2(false);
  const end = () => begin(void 0);
  const demo = async () => {
    setLoading(true);
    setFailure(void 0);
    try {
      await loadDemo();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setLoading(false);
    }
  };
  const orgs = tree.data?.orgs;
  return a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    a3("div", { class: "work-head", children: [
      a3("h1", { children: strings.orgs.title }),
      may(me, "import_org") && a3(Button, { onClick: () => begin("import"), children: strings.import.ask }),
      may(me, "create_org") && a3(Button, { onClick: () => begin("create"), children: strings.orgs.create })
    ] }),
    tree.failure && a3(ErrorNotice, { failure: tree.failure }),
    !orgs && !tree.failure && a3(Skeleton, { rows: 3, height: 44 }),
    orgs?.length === 0 && a3(Empty, { title: strings.orgs.none, children: [
      a3("p", { children: strings.orgs.how }),
      may(me, "import_org") && a3($, { children: [
        a3(Button, { kind: "primary", isBusy: isLoading, onClick: () => void demo(), children: strings.orgs.demo }),
        a3(ErrorMessage, { failure }),
        a3("p", { class: "quiet", children: strings.orgs.demoText })
      ] })
    ] }),
    orgs && orgs.length > 0 && a3(OrgTable, { orgs }),
    doing === "import" && a3(Import, { onClose: end }),
    doing === "create" && a3(
      NewWorkspace,
      {
        title: strings.orgs.create,
        onClose: end,
        create: (name, role) => createWorkspace({ name, ...role === "" ? {} : { role } })
      }
    )
  ] });
}
function OrgTable({ orgs }) {
  return a3("div", { class: "scroll", children: a3("table", { class: "table", children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: strings.orgs.name }),
      a3("th", { scope: "col", class: "number", children: strings.system.workspaces }),
      a3("th", { scope: "col", class: "number", children: "LOCAL" }),
      a3("th", { scope: "col", class: "number", children: "TEAM" }),
      a3("th", { scope: "col", class: "number", children: "GLOBAL" }),
      a3("th", { scope: "col", children: strings.orgs.created })
    ] }) }),
    a3("tbody", { children: orgs.map((org) => a3("tr", { children: [
      a3("th", { scope: "row", children: a3(Link, { to: workspacePath(org.org_id), children: a3("bdi", { children: org.name }) }) }),
      a3("td", { class: "number", children: org.workspaces }),
      a3("td", { class: "number", children: org.memories.local }),
      a3("td", { class: "number", children: org.memories.team }),
      a3("td", { class: "number", children: org.memories.global }),
      a3("td", { children: a3(Time, { at: org.created_at }) })
    ] }, org.org_id)) })
  ] }) });
}

// src/screens/not-found.tsx
function NotFound() {
  useTitle(strings.notFound.title);
  return a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    a3("h1", { children: strings.notFound.title }),
    a3(Empty, { title: strings.notFound.why, children: a3(Link, { to: "./", children: strings.notFound.home }) })
  ] });
}

// src/screens/system.tsx
var NUMBER = new Intl.NumberFormat();
function System() {
  useTitle(strings.system.title);
  const stats = useResource(endpoint.stats);
  const ready = useResource(endpoint.ready);
  const version = useResource(endpoint.version);
  const [isRefreshed, setRefreshed] = d2(false);
  const { embedder } = stats.data ?? {};
  const perSecond = useRate(embedder ?? void 0, stats.at);
  const again = () => {
    setRefreshed(true);
    refresh(endpoint.stats);
    refresh(endpoint.ready);
  };
  return a3("main", { id: "main", class: "work", tabIndex: -1, children: [
    a3("div", { class: "work-head", children: [
      a3("h1", { children: strings.system.title }),
      a3(Button, { onClick: again, children: strings.refresh })
    ] }),
    a3("p", { class: `ready ${ready.failure ? "bad" : ""}`, role: isRefreshed ? "status" : void 0, children: readiness(ready) }),
    embedder?.failing && a3("p", { class: "notice", role: "status", children: [
      a3("bdi", { children: strings.system.failing(embedder.failing) }),
      " ",
      a3("bdi", { children: strings.system.failingAct(embedder.name) })
    ] }),
    stats.failure && a3(ErrorNotice, { failure: stats.failure }),
    !stats.data && !stats.failure && a3(Skeleton, { rows: 6, height: 32 }),
    stats.data && a3(Numbers, { stats: stats.data, at: stats.at, version: version.data, perSecond })
  ] });
}
var LOOK_MS = 2e3;
function useRate(embedder, answered) {
  const last = T2(void 0);
  const [perSecond, set2] = d2(0);
  A2(() => {
    if (!embedder || answered === void 0) return;
    const before = last.current;
    last.current = { embedded: embedder.embedded, at: answered };
    if (before && answered > before.at) set2((embedder.embedded - before.embedded) * 1e3 / (answered - before.at));
    if (embedder.waiting === 0) return;
    const timer = setTimeout(() => !document.hidden && refresh(endpoint.stats), LOOK_MS);
    return () => clearTimeout(timer);
  }, [answered]);
  return perSecond;
}
function readiness(ready) {
  if (ready.failure) return strings.system.notReady(ready.failure.message);
  return ready.data ? strings.system.ready : strings.system.checking;
}
function Numbers({ stats, at: answered, version, perSecond }) {
  const { memories: memories3 } = stats;
  const rows = [
    [strings.system.version, version?.version ?? stats.version],
    [strings.system.store, strings.system.stores[stats.store] ?? stats.store],
    [strings.system.size, size(stats.size_bytes)],
    [strings.system.orgs, NUMBER.format(stats.orgs)],
    [strings.system.workspaces, NUMBER.format(stats.workspaces)],
    [strings.system.memories, NUMBER.format(memories3.local + memories3.team + memories3.global)],
    ["LOCAL", NUMBER.format(memories3.local)],
    ["TEAM", NUMBER.format(memories3.team)],
    ["GLOBAL", NUMBER.format(memories3.global)],
    [strings.system.entries, NUMBER.format(stats.entries)],
    [strings.system.episodes, NUMBER.format(stats.episodes)],
    ...embedding(stats.embedder, perSecond),
    [strings.system.since, a3(Time, { at: stats.started_at })]
  ];
  return a3($, { children: [
    a3("table", { class: "facts", children: a3("tbody", { children: rows.map(([name, value]) => a3("tr", { class: /^[A-Z]+$/.test(name) ? "part" : "", children: [
      a3("th", { scope: "row", children: name }),
      a3("td", { children: value })
    ] }, name)) }) }),
    answered !== void 0 && a3("p", { class: "quiet", children: [
      strings.asOf,
      " ",
      a3(Time, { at: new Date(answered).toISOString() })
    ] })
  ] });
}
var COUNTED = 1e5;
function embedding(embedder, perSecond) {
  if (!embedder) return [[strings.system.embedder, strings.system.noEmbedder]];
  const { waiting, embedded, refused, failed } = embedder;
  const left = distance(0, waiting * 1e3 / perSecond);
  const isMore = waiting >= COUNTED;
  const count2 = isMore ? strings.system.many(NUMBER.format(waiting)) : NUMBER.format(waiting);
  const queue = waiting === 0 || isMore ? count2 : strings.system.queue(count2, perSecond, left);
  return [
    [strings.system.embedder, embedder.name],
    [strings.system.waiting, queue],
    [strings.system.embedded, NUMBER.format(embedded)],
    ...refused > 0 ? [[strings.system.refused, NUMBER.format(refused)]] : [],
    ...failed > 0 ? [[strings.system.failed, NUMBER.format(failed)]] : []
  ];
}
var UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
function size(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 2 ** (10 * step);
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}

// src/audit/chain.tsx
function Chain({ workspace }) {
  const [verification, set2] = d2();
  const [failure, setFailure] = d2();
  const verify = async () => {
    setFailure(void 0);
    try {
      let rows = 0;
      let next;
      do {
        const answer = (await api(endpoint.verify(workspace.org_id, next))).data;
        rows += answer.sealed_rows;
        next = answer.intact ? answer.next ?? void 0 : void 0;
        set2({ rows, answer, at: (/* @__PURE__ */ new Date()).toISOString(), isRunning: next !== void 0 });
      } while (next !== void 0);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const isBroken = verification?.answer.intact === false;
  return a3("div", { class: `chain ${isBroken ? "broken" : ""}`, children: [
    a3("p", { role: "status", children: [
      a3("bdi", { children: failure ? failureMessage(failure) : statusText(verification) }),
      " ",
      verification && !verification.isRunning && a3("span", { class: "quiet", children: a3(Time, { at: verification.at }) })
    ] }),
    a3(Button, { isBusy: verification?.isRunning ?? false, onClick: () => void verify(), children: strings.chain.verify })
  ] });
}
function statusText(verification) {
  if (!verification) return strings.chain.description;
  const { rows, answer, isRunning } = verification;
  if (!answer.intact) return `${strings.chain.broken}: ${asSentence(answer.fault ?? "")}`;
  if (isRunning) return strings.chain.running(rows);
  return `${strings.chain.intact(rows, answer.last_seq)}${strings.chain.waiting(answer.waiting_rows)}`;
}

// src/audit/export.tsx
var PAGE = 500;
function Export({ workspace, parameters }) {
  const [count2, setCount] = d2();
  const run2 = async () => {
    const lines2 = [];
    try {
      let next = endpoint.access(workspace.id, { ...parameters, limit: PAGE });
      while (next !== void 0) {
        setCount(lines2.length);
        const answer = await api(next);
        lines2.push(...answer.data.map((row) => `${JSON.stringify(row)}
`));
        next = answer.next;
      }
      save2(`access-log-${workspace.name}.jsonl`, lines2);
    } catch (error) {
      showToast(failureMessage(asFailure(error)));
    } finally {
      setCount(void 0);
    }
  };
  return a3(Button, { isBusy: count2 !== void 0, onClick: () => void run2(), children: count2 === void 0 ? strings.access.export : strings.access.exporting(count2) });
}
function save2(name, lines2) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines2, { type: "application/jsonl" }));
  link.download = name.replace(/[^\p{L}\p{N}.-]+/gu, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}

// src/audit/rows.tsx
var NAMED2 = 3;
function AccessRows({ rows }) {
  const { head } = strings.access;
  return a3("table", { class: "table accesses-table", children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: head.at }),
      a3("th", { scope: "col", children: head.who }),
      a3("th", { scope: "col", children: head.did }),
      a3("th", { scope: "col", children: head.as }),
      a3("th", { scope: "col", children: head.memories }),
      a3("th", { scope: "col", class: "number", children: head.seal })
    ] }) }),
    a3("tbody", { children: rows.map((row) => a3(Row, { row }, row.seq)) })
  ] });
}
function Row({ row }) {
  return a3("tr", { class: row.action === "redact_memory" ? "marked" : "", children: [
    a3("td", { children: a3(Time, { at: row.at, brief: true }) }),
    a3("td", { class: "who-did", children: a3(Link, { to: pathWith({ subject: row.subject }), title: row.subject, children: a3("bdi", { children: row.subject }) }) }),
    a3("td", { children: [
      strings.access.did(row.action),
      a3(Reason, { context: row.context })
    ] }),
    a3("td", { children: a3(Link, { to: workspacePath(row.workspace_id, "access"), children: a3("bdi", { children: nameOf(row.workspace_id) ?? `${row.workspace_id.slice(0, 8)}…` }) }) }),
    a3("td", { children: [
      a3(Memories2, { row }),
      row.run_id && a3(Link, { to: pathWith({ run_id: row.run_id }), children: strings.access.sentences.run_id(row.run_id) })
    ] }),
    a3("td", { class: "number", title: row.sealed ? strings.access.sealed : strings.access.waiting, children: [
      row.seq,
      !row.sealed && a3("span", { class: "quiet", children: [
        " ",
        strings.access.waiting
      ] })
    ] })
  ] });
}
function Reason({ context }) {
  const { reason } = context;
  if (typeof reason !== "string") return null;
  return a3("span", { class: "reach-why", children: a3("bdi", { children: reason }) });
}
function Memories2({ row }) {
  const { memories: memories3 } = row;
  if (memories3.length === 0) return null;
  return a3("span", { class: "named", children: [
    memories3.slice(0, NAMED2).map(({ id }) => a3(Link, { to: `${workspacePath(row.workspace_id)}?m=${id}`, title: id, children: a3("code", { children: id.slice(-6) }) }, id)),
    memories3.length > NAMED2 && a3("span", { class: "quiet", children: strings.access.more(memories3.length - NAMED2) })
  ] });
}

// src/audit/log.tsx
var CHIPS = ["memory_id", "run_id", "since", "until"];
var PAGE2 = 100;
function AccessLog({ workspace }) {
  const { query: query2 } = useRoute();
  const [who, setWho] = d2(query2.get("subject") ?? "");
  const subject = useDebounced(who.trim());
  const parameters = parametersOf(query2, subject);
  const pages = usePages(endpoint.access(workspace.id, { ...parameters, limit: PAGE2 }));
  const chips = CHIPS.filter((name) => query2.has(name));
  const isBelow = query2.get("only") === null;
  return a3("section", { class: "list", "aria-label": strings.tabs.access, children: [
    a3(Chain, { workspace }),
    a3("div", { class: "list-head", children: a3("div", { class: "filter-bar", children: [
      a3("div", { class: "filter-line", children: [
        a3("label", { class: "search", children: [
          a3(SearchIcon, {}),
          a3(
            "input",
            {
              type: "search",
              placeholder: strings.access.who,
              "aria-label": strings.access.who,
              spellcheck: false,
              value: who,
              onInput: (event) => setWho(event.currentTarget.value)
            }
          )
        ] }),
        a3(
          Select,
          {
            label: strings.access.action,
            value: query2.get("action") ?? "",
            options: [["", strings.access.all], ...actions],
            onChange: (action) => goWith({ action }, { replace: true })
          }
        ),
        a3(
          Select,
          {
            label: strings.access.time,
            value: "",
            options: [["", strings.access.anyTime], ...strings.access.times],
            onChange: (seconds2) => goWith({ since: ago(seconds2) }, { replace: true })
          }
        ),
        workspace.child_count > 0 && a3("label", { class: "check", children: [
          a3(
            "input",
            {
              type: "checkbox",
              checked: isBelow,
              onChange: (event) => goWith({ only: event.currentTarget.checked ? void 0 : "1" }, { replace: true })
            }
          ),
          strings.access.subtree
        ] }),
        a3(Export, { workspace, parameters })
      ] }),
      chips.length > 0 && a3("ul", { class: "chips", "aria-label": strings.filters.title, children: chips.map((name) => a3("li", { children: a3(Chip, { onRemove: () => goWith({ [name]: void 0 }, { replace: true }), children: a3("bdi", { children: chipText(name, query2.get(name) ?? "") }) }) }, name)) })
    ] }) }),
    a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, children: [
      pages.failure && a3(ErrorNotice, { failure: pages.failure }),
      !pages.rows && !pages.failure && a3(Skeleton, { height: 32 }),
      pages.rows?.length === 0 && !pages.isStale && !pages.hasMore && a3(Empty, { title: isNarrowed(parameters) ? strings.access.nothingMatches : strings.access.none(workspace.name), children: a3("p", { children: strings.access.how }) }),
      pages.rows && pages.rows.length > 0 && a3(AccessRows, { rows: pages.rows }),
      pages.hasMore && a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
    ] })
  ] });
}
function parametersOf(query2, subject) {
  const given = ["action", ...CHIPS].map((name) => [name, query2.get(name) ?? void 0]);
  const below2 = query2.get("only") === null ? "true" : void 0;
  return { ...Object.fromEntries(given), subject: subject === "" ? void 0 : subject, subtree: below2 };
}
var isNarrowed = (parameters) => Object.entries(parameters).some(([name, value]) => name !== "subtree" && value !== void 0);
function chipText(name, value) {
  return strings.access.sentences[name](name === "since" || name === "until" ? short(value) : value);
}
function ago(seconds2) {
  return seconds2 === "" ? void 0 : new Date(Date.now() - Number(seconds2) * 1e3).toISOString();
}

// src/profiles/context.tsx
function ContextPreview({ workspace, profile }) {
  const [query2, setQuery] = d2("");
  const [context, setContext] = d2();
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const show2 = async (event) => {
    event.preventDefault();
    if (isBusy || !profile) return;
    setBusy(true);
    setFailure(void 0);
    const given = query2.trim() === "" ? {} : { query: query2.trim() };
    try {
      setContext((await injectContext(workspace.id, { profile_id: profile.id, ...given })).data);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { title, description, show: showLabel } = strings.context;
  if (!profile) {
    return a3("section", { class: "context", children: [
      a3("h2", { children: title }),
      a3("p", { class: "quiet", children: strings.context.unavailable })
    ] });
  }
  return a3("section", { class: "context", children: [
    a3("h2", { children: title }),
    a3("p", { class: "quiet", children: description }),
    a3("form", { onSubmit: (event) => void show2(event), children: [
      a3(Field, { label: strings.context.query, hint: strings.context.queryHint, children: (attributes) => a3("input", { ...attributes, type: "text", value: query2, onInput: (event) => setQuery(event.currentTarget.value) }) }),
      a3(Button, { type: "submit", isBusy, children: showLabel })
    ] }),
    a3(ErrorMessage, { failure }),
    context && a3(Block, { workspace, profile, context })
  ] });
}
function Block({ workspace, profile, context }) {
  const budget = profile.injection.token_budget ?? void 0;
  return a3("div", { class: "context-block", role: "status", children: [
    a3("h3", { children: strings.context.size(context.entries.length, context.tokens, budget) }),
    context.block === "" ? a3("p", { children: strings.context.empty }) : a3(Snippet, { text: context.block, label: strings.context.block }),
    context.left_out.length > 0 && a3($, { children: [
      a3("h3", { children: strings.context.omitted(context.left_out.length) }),
      a3("ul", { class: "left-out", children: context.left_out.map((each) => a3(OmittedMemory, { workspace, each }, each.memory_id)) })
    ] })
  ] });
}
var EXCERPT = 120;
function beginning(excerpt) {
  return [...excerpt].length < EXCERPT ? excerpt : `${excerpt}…`;
}
function OmittedMemory({ workspace, each }) {
  return a3("li", { children: [
    a3(Link, { to: `${workspacePath(workspace.id)}?m=${each.memory_id}`, children: a3(Content, { text: beginning(each.excerpt ?? each.memory_id) }) }),
    a3("p", { class: "memory-facts", children: [
      a3(ScopeChip, { scope: each.scope }),
      a3("span", { class: "fact", children: a3("bdi", { children: each.kind }) }),
      a3("span", { children: strings.memory.confidenceOf(each.confidence) })
    ] }),
    a3("p", { children: a3("bdi", { children: asSentence(each.reason) }) })
  ] });
}

// src/profiles/form.tsx
var text = (value) => value === null || value === void 0 ? "" : String(value);
function ageOf(seconds2) {
  if (seconds2 === null || seconds2 === void 0) return { age: "", ageIn: "86400" };
  const [unit] = strings.profiles.ages.find(([each]) => seconds2 % Number(each) === 0) ?? ["1"];
  return { age: String(seconds2 / Number(unit)), ageIn: unit };
}
function typedOf(profile) {
  const { retention, injection } = profile ?? {};
  return {
    name: profile?.name ?? "",
    isDefault: profile?.is_default ?? false,
    isolation: profile?.isolation ?? "tree",
    ...ageOf(retention?.max_age_seconds),
    entries: text(retention?.max_entries),
    strategy: injection?.strategy ?? "confidence",
    limit: text(injection?.limit ?? 5),
    scopes: injection?.scopes ?? [],
    confidence: text(injection?.min_confidence),
    budget: text(injection?.token_budget),
    kinds: profile?.excluded_kinds.join(", ") ?? ""
  };
}
var number = (typed) => typed.trim() === "" ? null : Number(typed);
function seconds({ age, ageIn }) {
  const typed = number(age);
  return typed === null ? null : Math.round(typed * Number(ageIn));
}
function bodyOf(typed, profile) {
  return {
    name: typed.name,
    isolation: typed.isolation,
    retention: { max_age_seconds: seconds(typed), max_entries: number(typed.entries) },
    injection: {
      strategy: typed.strategy,
      limit: number(typed.limit) ?? 5,
      scopes: typed.scopes,
      min_confidence: number(typed.confidence),
      token_budget: number(typed.budget)
    },
    excluded_kinds: typed.kinds.split(",").map((kind) => kind.trim()).filter(Boolean),
    ...typed.isDefault && !profile?.is_default ? { is_default: true } : {}
  };
}
function withName(body, profile) {
  return body.name?.trim() === "" ? { ...body, name: profile?.name ?? UNNAMED } : body;
}
var UNNAMED = "unnamed draft";
function ProfileForm({ workspace, profile, canManage, inForce, onSaved }) {
  const [typed, set2] = d2(() => typedOf(profile));
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const changeBy = (update) => set2((now) => ({ ...now, ...update(now) }));
  const change = (part) => changeBy(() => part);
  const [expiring, askAbout] = d2();
  const body = bodyOf(typed, profile);
  const serialized = JSON.stringify(body);
  const settled = useDebounced(serialized);
  const isChanged = serialized !== JSON.stringify(bodyOf(typedOf(profile), profile));
  const dryRun = useDryRun(
    canManage && isChanged ? settled : void 0,
    (signal) => dryRunProfile(workspace.id, profile?.id, withName(JSON.parse(settled), profile), signal)
  );
  const keepsLess = body.retention.max_age_seconds !== null || body.retention.max_entries !== null;
  const save3 = async () => {
    const saving = profile ? patchProfile(workspace.id, profile.id, body) : createProfile(workspace.id, body);
    const { data } = await saving;
    set2(typedOf(data));
    showToast(strings.profiles.saved(data.name));
    onSaved(data);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const now = keepsLess ? (await dryRunProfile(workspace.id, profile?.id, body)).data : void 0;
      if (now && now.expires > 0) askAbout(now);
      else await save3();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { labels, hints } = strings.profiles;
  const field = (name, more = { type: "text" }) => a3(Field, { label: labels[name], hint: hints[name], fault: fieldError(failure, FIELDS2[name]), children: (attributes) => a3(
    "input",
    {
      ...attributes,
      ...more,
      readOnly: !canManage,
      value: typed[name],
      onInput: (event) => change({ [name]: event.currentTarget.value })
    }
  ) });
  const offered = (options, chosen) => canManage ? options : options.filter(([each]) => each === chosen);
  const hasFieldError = Object.values(FIELDS2).some((name) => fieldError(failure, name) !== void 0);
  return a3($, { children: [
    a3("form", { class: "profile-form", onSubmit: (event) => void submit(event), children: [
      field("name"),
      a3("label", { class: "check", children: [
        a3(
          "input",
          {
            type: "checkbox",
            checked: typed.isDefault,
            disabled: !canManage || profile?.is_default,
            onChange: (event) => change({ isDefault: event.currentTarget.checked })
          }
        ),
        labels.isDefault
      ] }),
      a3("h2", { children: labels.reads }),
      a3("fieldset", { class: "scope-choice", disabled: !canManage, children: [
        a3("legend", { children: labels.isolation }),
        strings.profiles.isolations.map(([each, does]) => a3("label", { class: "choice-line", children: [
          a3(
            "input",
            {
              type: "radio",
              name: "isolation",
              checked: typed.isolation === each,
              onChange: () => change({ isolation: each })
            }
          ),
          does
        ] }, each)),
        a3("p", { class: "hint", role: "status", children: a3(Effect, { isDefault: typed.isDefault, isolation: typed.isolation, inForce, dryRun }) })
      ] }),
      field("kinds"),
      a3("h2", { children: labels.keeps }),
      a3("div", { class: "columns", children: [
        a3(Field, { label: labels.age, hint: hints.age, fault: fieldError(failure, FIELDS2.age), children: (attributes) => a3("div", { class: "with-unit", children: [
          a3(
            "input",
            {
              ...attributes,
              type: "number",
              min: "0",
              step: "any",
              readOnly: !canManage,
              value: typed.age,
              onInput: (event) => change({ age: event.currentTarget.value })
            }
          ),
          a3(
            Select,
            {
              label: labels.ageIn,
              value: typed.ageIn,
              options: offered(strings.profiles.ages, typed.ageIn),
              onChange: (ageIn) => change({ ageIn })
            }
          )
        ] }) }),
        field("entries", { type: "number", min: 1 })
      ] }),
      a3("p", { class: "hint", role: "status", children: isChanged && keepsLess && a3(Expiring, { dryRun }) }),
      a3("h2", { children: labels.injects }),
      a3(Field, { label: labels.strategy, children: ({ id }) => a3(
        Select,
        {
          id,
          value: typed.strategy,
          options: offered(strings.profiles.strategies, typed.strategy),
          onChange: (strategy) => change({ strategy })
        }
      ) }),
      a3("fieldset", { class: "scope-choice", disabled: !canManage, children: [
        a3("legend", { children: labels.scopes }),
        a3("div", { class: "checks", children: SCOPES.map((each) => a3("label", { class: "check", children: [
          a3(
            "input",
            {
              type: "checkbox",
              checked: typed.scopes.includes(each),
              onChange: (event) => {
                const isChosen = event.currentTarget.checked;
                changeBy(({ scopes }) => ({ scopes: SCOPES.filter((one) => one === each ? isChosen : scopes.includes(one)) }));
              }
            }
          ),
          a3(ScopeChip, { scope: each })
        ] }, each)) }),
        fieldError(failure, FIELDS2.scopes) ? a3("p", { class: "fault", role: "alert", children: fieldError(failure, FIELDS2.scopes) }) : a3("p", { class: "hint", children: hints.scopes })
      ] }),
      a3("div", { class: "columns three", children: [
        field("limit", { type: "number", min: 1, max: 50 }),
        field("budget", { type: "number", min: 1 }),
        field("confidence", { type: "number", min: 0, max: 1, step: 0.05 })
      ] }),
      !hasFieldError && a3(ErrorMessage, { failure }),
      canManage && a3("footer", { children: a3(Button, { kind: "primary", type: "submit", isBusy, children: profile ? strings.profiles.save : strings.profiles.create }) })
    ] }),
    expiring && a3(
      Confirm,
      {
        title: strings.profiles.expireTitle(typed.name),
        size: "narrow",
        label: strings.profiles.expire(expiring.expires),
        act: save3,
        onClose: () => askAbout(void 0),
        children: [
          a3("p", { children: strings.profiles.expires(expiring) }),
          a3("p", { children: strings.profiles.expireText })
        ]
      }
    )
  ] });
}
function Effect({ isDefault, isolation, inForce, dryRun }) {
  if (!isDefault) return a3($, { children: strings.profiles.notDefault });
  const far = (each) => strings.profiles.isolations.findIndex(([one]) => one === each);
  const { loses } = dryRun.data ?? {};
  const lost = loses && loses.local + loses.team + loses.global;
  const isNarrower = far(isolation) > far(inForce);
  if (lost || isNarrower && lost === 0) return a3("span", { class: "narrows", children: strings.profiles.narrows(lost) });
  if (isNarrower) return a3(Unknown, { text: strings.profiles.narrowsUnknown, dryRun });
  return a3($, { children: isolation === inForce ? strings.profiles.inForce : strings.profiles.widens });
}
function Expiring({ dryRun }) {
  if (!dryRun.data) return a3(Unknown, { text: strings.profiles.expiresUnknown, dryRun });
  return dryRun.data.expires > 0 ? a3("span", { class: "narrows", children: strings.profiles.expires(dryRun.data) }) : null;
}
function Unknown({ text: text2, dryRun }) {
  const { failure } = dryRun;
  return a3("span", { class: "narrows", children: [
    text2,
    failure && a3($, { children: [
      " ",
      a3("bdi", { children: failureMessage(failure) })
    ] })
  ] });
}
var FIELDS2 = {
  name: "name",
  age: "retention.max_age_seconds",
  entries: "retention.max_entries",
  scopes: "injection.scopes",
  limit: "injection.limit",
  confidence: "injection.min_confidence",
  budget: "injection.token_budget",
  kinds: "excluded_kinds"
};

// src/profiles/profiles.tsx
function Profiles({ me, workspace }) {
  const { query: query2 } = useRoute();
  const profiles = useResource(endpoint.profiles(workspace.id));
  const [isDeleting, ask] = d2(false);
  const canManage = may(me, "manage_profiles");
  const wanted = query2.get("profile");
  const isNew = wanted === "new" && canManage;
  const shown2 = profiles.data?.find(({ id }) => id === wanted) ?? profiles.data?.[0];
  const head = T2(null);
  const [isToFocus, focusShown] = d2(false);
  A2(() => {
    if (!isToFocus || isDeleting || isNew || wanted !== null && shown2?.id !== wanted) return;
    focusShown(false);
    head.current?.querySelector("[aria-pressed=true]")?.focus();
  });
  if (profiles.failure && !profiles.data) return a3(ErrorNotice, { failure: profiles.failure });
  if (!profiles.data || !shown2) return a3(Skeleton, { rows: 6 });
  const open2 = (id) => goWith({ profile: id });
  const drop = async () => {
    await deleteProfile(workspace.id, shown2.id);
    showToast(strings.profiles.deleted(shown2.name));
    goWith({ profile: void 0 }, { replace: true });
    invalidateProfiles(workspace.id);
    focusShown(true);
  };
  const saved2 = ({ id }) => {
    invalidateProfiles(workspace.id);
    if (isNew) focusShown(true);
    goWith({ profile: id }, { replace: true });
  };
  const inForce = profiles.data.find((each) => each.is_default)?.isolation ?? "tree";
  return a3("div", { class: "profiles", children: [
    a3("div", { class: "profiles-head", children: [
      a3("div", { ref: head, class: "segments wrap", role: "group", "aria-label": strings.tabs.profiles, children: [
        profiles.data.map(({ id, name, is_default }) => a3("button", { type: "button", "aria-pressed": !isNew && id === shown2.id, onClick: () => open2(id), children: [
          a3("bdi", { children: name }),
          is_default && name !== strings.profiles.isDefault && a3("span", { class: "default-mark", children: strings.profiles.isDefault })
        ] }, id)),
        isNew && a3("button", { type: "button", "aria-pressed": true, children: strings.profiles.new })
      ] }),
      canManage && !isNew && a3(Button, { onClick: () => open2("new"), children: strings.profiles.add }),
      canManage && !isNew && !shown2.is_default && a3(Button, { kind: "danger", onClick: () => ask(true), children: strings.profiles.delete })
    ] }),
    a3("div", { class: "profiles-columns", children: [
      a3(
        ProfileForm,
        {
          workspace,
          profile: isNew ? void 0 : shown2,
          canManage,
          inForce,
          onSaved: saved2
        },
        isNew ? "new" : shown2.id
      ),
      a3(ContextPreview, { workspace, profile: isNew ? void 0 : shown2 }, isNew ? "new" : shown2.id)
    ] }),
    isDeleting && a3(
      Confirm,
      {
        title: strings.profiles.deleteTitle(shown2.name),
        size: "narrow",
        label: strings.profiles.delete,
        act: drop,
        onClose: () => ask(false),
        children: a3("p", { children: strings.profiles.deleteText })
      }
    )
  ] });
}
function invalidateProfiles(workspace) {
  invalidate((path) => path.startsWith(endpoint.workspace(workspace)));
}

// src/parts/ids.ts
var UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
var isId = (text2) => UUID.test(text2.trim());

// src/reach/explain.tsx
var SHOWN4 = 260;
function ExplainRecall({ workspace, memory, query: query2 }) {
  const [about, setAbout] = d2(memory);
  const [searched, setSearched] = d2(query2);
  const submit = (event) => {
    event.preventDefault();
    goWith({ ask: about.trim(), q: searched.trim() });
  };
  return a3("section", { class: "ask", "aria-label": strings.explain.title(workspace.name), children: [
    a3("h2", { children: a3("bdi", { children: strings.explain.title(workspace.name) }) }),
    a3("form", { onSubmit: submit, children: [
      a3(Field, { label: strings.explain.memory, hint: strings.explain.memoryHint, children: (attributes) => a3(
        "input",
        {
          ...attributes,
          type: "text",
          required: true,
          spellcheck: false,
          value: about,
          onInput: (event) => setAbout(event.currentTarget.value)
        }
      ) }),
      a3(Field, { label: strings.explain.query, hint: strings.explain.queryHint, children: (attributes) => a3(
        "input",
        {
          ...attributes,
          type: "text",
          spellcheck: false,
          value: searched,
          onInput: (event) => setSearched(event.currentTarget.value)
        }
      ) }),
      a3(Button, { type: "submit", children: strings.explain.submit })
    ] }),
    memory !== "" && (isId(memory) ? a3(Explanation, { workspace, memory, query: query2 }) : a3(Candidates, { workspace, text: memory, query: query2 }))
  ] });
}
function Explanation({ workspace, memory, query: query2 }) {
  const why = useResource(endpoint.why(workspace.id, memory, query2 === "" ? void 0 : query2));
  if (why.failure) return a3(ErrorNotice, { failure: why.failure });
  if (!why.data) return a3(Skeleton, { rows: 2, height: 28 });
  const { cause, reason, readable, since, superseded_by: replacement, score, parts: parts2 } = why.data;
  return a3("div", { class: "explanation", role: "status", children: [
    a3("p", { class: `cause ${cause === "found" ? "yes" : ""}`, children: strings.causes[cause] }),
    a3("p", { class: "sentence", children: [
      a3("bdi", { children: asSentence(reason) }),
      " ",
      since && a3(Time, { at: since })
    ] }),
    a3("p", { class: "explanation-links", children: [
      readable && a3(Link, { to: `${workspacePath(workspace.id)}?${new URLSearchParams({ m: memory, ...query2 === "" ? {} : { q: query2 } })}`, children: strings.explain.open }),
      replacement && a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: replacement, q: query2 })}`, children: strings.explain.replacement }),
      a3(Id, { id: memory }),
      score !== void 0 && score !== null && a3("span", { class: "quiet", children: strings.score.of(score) })
    ] }),
    a3(ScoreParts, { parts: parts2 ?? [] })
  ] });
}
function Candidates({ workspace, text: text2, query: query2 }) {
  const found = useResource(endpoint.memories(workspace.id, { q: text2, limit: 5 }));
  if (found.failure) return a3(ErrorNotice, { failure: found.failure });
  if (!found.data) return a3(Skeleton, { rows: 2, height: 28 });
  if (found.data.length === 0) {
    return a3("p", { class: "quiet", role: "status", children: a3("bdi", { children: strings.explain.none(workspace.name) }) });
  }
  return a3($, { children: [
    a3("h3", { children: strings.explain.select }),
    a3("ul", { class: "candidates", children: found.data.map((memory) => a3("li", { children: [
      a3(Link, { to: `${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: memory.id, q: query2 })}`, children: a3(Content, { text: memory.content.slice(0, SHOWN4), query: text2 }) }),
      a3("span", { class: "quiet", children: a3("bdi", { children: memory.workspace_name }) })
    ] }, memory.id)) })
  ] });
}

// src/parts/workspace-search.ts
function useWorkspaceSearch(text2, take, root2) {
  const wanted = text2.trim();
  const typed = useDebounced(wanted);
  const results = useResource(typed === "" ? void 0 : endpoint.workspaces({ q: typed, root: root2, limit: 20 }));
  const isSettled = typed === wanted && !results.isLoading;
  const [entered, enterFor] = d2();
  const workspaces = results.data ?? [];
  A2(() => {
    if (entered === void 0 || !isSettled) return;
    enterFor(void 0);
    if (entered === wanted) take(workspaces);
  }, [entered, isSettled, wanted]);
  return { workspaces, isLoading: !isSettled, enter: () => enterFor(wanted) };
}

// src/parts/picker.tsx
function Picker({ org, label, placeholder, isWanted, id: fieldId, onPick }) {
  const [text2, setText] = d2("");
  const [active, setActive] = d2(0);
  const [isOpen, setOpen] = d2(false);
  const id = P2();
  const { workspaces: found, enter } = useWorkspaceSearch(text2, (settled) => take(settled[active]), org);
  const take = (one) => {
    if (!one) return;
    setOpen(false);
    setText("");
    onPick(one);
  };
  const onKeyDown = (event) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") enter();
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isShown = isOpen && found.length > 0;
  return a3("div", { class: "picker", children: [
    a3(
      "input",
      {
        type: "text",
        role: "combobox",
        "aria-expanded": isShown,
        "aria-controls": id,
        id: fieldId,
        "aria-label": label,
        "aria-activedescendant": isShown ? `${id}-${active}` : void 0,
        placeholder: placeholder ?? label,
        autocomplete: "off",
        spellcheck: false,
        ref: (element) => {
          if (isWanted && element && document.activeElement === document.body) element.focus();
        },
        value: text2,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        },
        onKeyDown
      }
    ),
    a3("ul", { id, role: "listbox", "aria-label": strings.jump.results, hidden: !isShown, children: found.map((one, index) => a3(
      "li",
      {
        id: `${id}-${index}`,
        role: "option",
        "aria-selected": index === active,
        onPointerMove: () => setActive(index),
        onClick: () => take(one),
        children: [
          a3("bdi", { children: one.name }),
          a3("span", { class: "about", children: a3("bdi", { children: one.path.map((step) => step.name).join(" ▸ ") }) })
        ]
      },
      one.id
    )) })
  ] });
}

// src/reach/path-diagram.tsx
function PathDiagram({ first, second, meeting }) {
  const ways = [below(first, meeting), below(second, meeting)].filter((way) => way.length > 0);
  const top = [...first.path, first].find((step) => step.id === meeting);
  return a3("figure", { class: "path-diagram", children: [
    a3("figcaption", { class: "unseen", children: strings.compare.diagram }),
    top && a3(Step, { step: top }),
    a3("div", { class: `branches ${ways.length > 1 ? "fork" : ""}`, children: ways.map((way, index) => a3("ol", { children: way.map((step) => a3("li", { children: a3(Step, { step }) }, step.id)) }, index)) })
  ] });
}
function Step({ step }) {
  return a3(Link, { to: workspacePath(step.id, "reach"), class: "path-step", children: a3("bdi", { children: step.name }) });
}
function below(workspace, meeting) {
  const whole = [...workspace.path, { id: workspace.id, name: workspace.name }];
  const place = whole.findIndex((step) => step.id === meeting);
  return whole.slice(place + 1);
}

// src/reach/compare.tsx
function Compare({ workspace, other }) {
  const isAsked = other !== void 0 && other !== "";
  const relation = useResource(isAsked ? endpoint.relation(workspace.id, other) : void 0);
  const second = useResource(isAsked ? endpoint.workspace(other) : void 0).data;
  return a3("section", { class: "compare", "aria-label": strings.compare.title, children: [
    a3("div", { class: "compare-head", children: [
      a3("h2", { children: strings.compare.title }),
      a3(
        Picker,
        {
          org: workspace.org_id,
          label: strings.compare.pick,
          placeholder: second?.name,
          isWanted: other === "",
          onPick: (one) => goWith({ with: one.id })
        },
        other ?? ""
      ),
      isAsked && a3(IconButton, { label: strings.compare.end, onClick: () => goWith({ with: void 0 }), children: a3(CloseIcon, {}) })
    ] }),
    relation.failure && a3(ErrorNotice, { failure: relation.failure }),
    isAsked && !relation.data && !relation.failure && a3(Skeleton, { rows: 3, height: 40 }),
    relation.data && a3(Compared, { workspace, second, relation: relation.data })
  ] });
}
function Compared({ workspace, second, relation }) {
  const other = second?.name ?? relation.other_id;
  return a3($, { children: [
    a3("p", { class: "sentence", children: a3("bdi", { children: strings.compare.relation(relation.relation, workspace.name, other) }) }),
    a3("div", { class: "scroll", children: a3("table", { class: "table compare-table", children: [
      a3("thead", { children: a3("tr", { children: [
        a3("th", { scope: "col", children: strings.compare.scope }),
        a3("th", { scope: "col", children: a3("bdi", { children: strings.compare.reads(workspace.name, other) }) }),
        a3("th", { scope: "col", children: a3("bdi", { children: strings.compare.reads(other, workspace.name) }) })
      ] }) }),
      a3("tbody", { children: relation.rows.map((row) => a3(ComparedRow, { row }, row.scope)) })
    ] }) }),
    second && a3(PathDiagram, { first: workspace, second, meeting: relation.common_ancestor }),
    second && a3("p", { children: a3(Link, { to: `${workspacePath(second.id, "reach")}?with=${workspace.id}`, children: strings.compare.reverse(second.name) }) })
  ] });
}
function ComparedRow({ row }) {
  return a3("tr", { children: [
    a3("th", { scope: "row", children: a3(ScopeChip, { scope: row.scope }) }),
    a3(Verdict, { isYes: row.reads, reason: row.reads_reason }),
    a3(Verdict, { isYes: row.read_by, reason: row.read_by_reason })
  ] });
}
function Verdict({ isYes, reason }) {
  return a3("td", { class: isYes ? "yes" : "no", children: [
    a3("span", { class: "verdict", children: [
      isYes ? a3(CheckIcon, {}) : a3(CloseIcon, {}),
      isYes ? strings.compare.yes : strings.compare.no
    ] }),
    a3("span", { class: "reach-why", children: a3("bdi", { children: reason }) })
  ] });
}

// src/reach/reach.tsx
var FEW = 30;
function Reach({ workspace }) {
  const { query: query2 } = useRoute();
  const reach2 = useResource(endpoint.reach(workspace.id));
  const other = query2.get("with");
  return a3("div", { class: "reach", children: [
    a3(Compare, { workspace, other: other ?? void 0 }),
    a3(ExplainRecall, { workspace, memory: query2.get("ask") ?? "", query: query2.get("q") ?? "" }, query2.get("ask")),
    reach2.failure && a3(ErrorNotice, { failure: reach2.failure }),
    !reach2.data && !reach2.failure && a3(Skeleton, { rows: 6, height: 32 }),
    reach2.data && a3("div", { class: "reach-columns", children: [
      a3(Side, { title: strings.reach.canRead(workspace.name), rows: reach2.data.reads, direction: "reads" }),
      a3(Side, { title: strings.reach.readBy(workspace.name), rows: reach2.data.read_by, direction: "read_by" })
    ] })
  ] });
}
function groupByWorkspace(rows) {
  const found = /* @__PURE__ */ new Map();
  for (const { workspace_id: id, name, scope, reason } of rows) {
    const one = found.get(id) ?? { id, name, scopes: [], reasons: [] };
    one.scopes.push(scope);
    if (!one.reasons.includes(reason)) one.reasons.push(reason);
    found.set(id, one);
  }
  return [...found.values()];
}
var GROUPS = ["self", "parent", "sibling", "child", "org"];
function Side({ title, rows, direction }) {
  return a3("section", { children: [
    a3("h2", { children: a3("bdi", { children: title }) }),
    GROUPS.map((via) => a3(Group, { via, direction, rows: groupByWorkspace(rows.filter((row) => row.via === via)) }, via))
  ] });
}
function Group({ via, direction, rows }) {
  const { query: query2 } = useRoute();
  if (rows.length === 0) return null;
  const all = `all-${direction}-${via}`;
  const shown2 = query2.has(all) ? rows : rows.slice(0, FEW);
  return a3($, { children: [
    a3("h3", { children: [
      strings.reach.groups[direction][via],
      a3("span", { class: "quiet", children: rows.length })
    ] }),
    a3("ul", { class: "reach-rows", children: shown2.map((row) => a3("li", { children: [
      a3("span", { class: "reach-name", children: [
        a3(Link, { to: workspacePath(row.id, "reach"), children: a3("bdi", { children: row.name }) }),
        a3("span", { class: "reach-why", children: a3("bdi", { children: row.reasons.join("; ") }) })
      ] }),
      a3("span", { class: "reach-scopes", children: row.scopes.map((scope) => a3(ScopeChip, { scope }, scope)) })
    ] }, row.id)) }),
    shown2.length < rows.length && a3("button", { type: "button", class: "button quiet", onClick: () => goWith({ [all]: "1" }, { replace: true }), children: strings.reach.all(rows.length) })
  ] });
}

// src/runs/countdown.tsx
var S2 = 1e3;
var MIN = 60 * S2;
var H2 = 60 * MIN;
var D3 = 24 * H2;
var LONGEST = 2 ** 31 - 1;
function formatRemaining(ms, isBrief = false) {
  const steps = [[D3, "d"], [H2, "h"], [MIN, "min"], [S2, "s"]];
  const first = steps.findIndex(([unit]) => ms >= unit);
  if (first < 0) return `0 ${steps[3][1]}`;
  const shown2 = steps.slice(first, first + (isBrief ? 1 : 2));
  return shown2.map(([unit, name], place) => `${Math.floor((place === 0 ? ms : ms % shown2[0][0]) / unit)} ${name}`).join(" ");
}
function Countdown({ until, onOver, brief }) {
  const end = Date.parse(until);
  const [now, set2] = d2(Date.now);
  A2(() => {
    const timer = setInterval(() => !document.hidden && set2(Date.now()), S2);
    return () => clearInterval(timer);
  }, []);
  A2(() => {
    const wait = end - Date.now() + S2;
    if (wait <= 0 || wait > LONGEST) return;
    const timer = setTimeout(onOver, wait);
    return () => clearTimeout(timer);
  }, [end]);
  return a3("time", { dateTime: until, title: exact(until), role: "timer", children: end > now ? strings.runs.left(formatRemaining(end - now, brief)) : strings.runs.overdue });
}

// src/runs/status.tsx
function Status({ run: { status } }) {
  const kind = { open: "now", completed: "", failed: "bad", cancelled: "", timed_out: "late" }[status];
  return a3("span", { class: `status ${kind}`, children: strings.runs.statuses[status] });
}
function invalidateRuns(workspace) {
  invalidate((path) => path.startsWith(endpoint.runs(workspace)));
}

// src/runs/run.tsx
var PAGE3 = 100;
function RunDrawer({ workspace, id, canEnd, onClose }) {
  const path = endpoint.run(workspace.id, id, { limit: PAGE3 });
  const run2 = useResource(path);
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  return a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": strings.runs.run, children: [
    a3("header", { children: [
      a3("h2", { children: a3("bdi", { children: run2.data?.label ?? strings.runs.run }) }),
      a3(IconButton, { label: strings.close, onClick: onClose, children: a3(CloseIcon, {}) })
    ] }),
    run2.failure && !run2.data && a3(ErrorNotice, { failure: run2.failure }),
    !run2.data && !run2.failure && a3(Skeleton, { rows: 4 }),
    run2.data && a3("div", { class: "drawer-body", children: [
      a3("p", { class: "drawer-facts", children: [
        a3(Status, { run: run2.data }),
        a3("span", { children: strings.runs.counts(run2.data.status, run2.data.write_count, run2.data.dropped_count) })
      ] }),
      run2.data.status === "open" && canEnd && a3(FinishActions, { workspace, run: run2.data }),
      run2.data.status === "open" ? a3(Pending, { path, run: run2.data }) : a3(RunResult, { run: run2.data }),
      a3(RunFacts, { run: run2.data })
    ] })
  ] });
}
function FinishActions({ workspace, run: run2 }) {
  const [asking, ask] = d2();
  const count2 = run2.write_count;
  const end = async (status) => {
    const { data } = await finishRun(workspace.id, run2.run_id, { status });
    showToast(status === "completed" ? strings.runs.finished(data.write_count) : strings.runs.dropped(data.dropped_count));
    invalidateRuns(workspace.id);
    if (status === "completed") invalidateTree();
  };
  const { finish, finishTitle, finishText, drop, dropTitle, dropText } = strings.runs;
  return a3($, { children: [
    a3("div", { class: "actions", children: [
      a3(Button, { onClick: () => ask("completed"), children: finish(count2) }),
      a3(Button, { onClick: () => ask("cancelled"), children: drop(count2) })
    ] }),
    asking === "completed" && a3(
      Confirm,
      {
        title: finishTitle,
        size: "narrow",
        kind: "primary",
        label: finish(count2),
        act: () => end("completed"),
        onClose: () => ask(void 0),
        children: a3("p", { children: a3("bdi", { children: finishText(workspace.name, count2) }) })
      }
    ),
    asking === "cancelled" && a3(
      Confirm,
      {
        title: dropTitle,
        size: "narrow",
        label: drop(count2),
        act: () => end("cancelled"),
        onClose: () => ask(void 0),
        children: a3("p", { children: dropText })
      }
    )
  ] });
}
function Pending({ path, run: run2 }) {
  const pages = usePages(path, (page) => page.pending);
  return a3("section", { class: "pending", "aria-label": strings.runs.pending(run2.write_count), "aria-busy": pages.isLoading, children: [
    a3("div", { class: "pending-head", children: a3("h3", { children: strings.runs.pending(run2.write_count) }) }),
    run2.write_count > 0 && a3("p", { class: "notice", children: strings.runs.notReadable }),
    a3("ul", { children: pages.rows?.map((memory) => a3("li", { children: [
      a3("del", { children: a3(Content, { text: memory.content }) }),
      a3("p", { class: "memory-facts", children: [
        a3(ScopeChip, { scope: memory.scope }),
        a3("span", { class: "fact", children: a3("bdi", { children: memory.kind }) }),
        a3("span", { class: "fact", children: a3("bdi", { children: memory.namespace }) }),
        a3(Time, { at: memory.held_at })
      ] })
    ] }, memory.id)) }),
    pages.hasMore && a3(Button, { kind: "quiet", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
  ] });
}
function RunResult({ run: run2 }) {
  if (run2.status !== "completed") return a3("p", { children: strings.runs.droppedText });
  if (run2.write_count === 0) return null;
  return a3("p", { children: a3(Link, { to: `${workspacePath(run2.workspace_id)}?run_id=${run2.run_id}`, children: strings.runs.showCommitted(run2.write_count) }) });
}
function RunFacts({ run: run2 }) {
  const rows = [
    [strings.runs.by, a3("bdi", { children: run2.started_by })],
    [strings.runs.started, a3(Time, { at: run2.started_at })]
  ];
  if (run2.status === "open") {
    const over = () => invalidateRuns(run2.workspace_id);
    rows.push([strings.runs.timesOut, a3(Countdown, { until: run2.times_out_at, onOver: over })]);
  }
  if (run2.finished_at) rows.push([strings.runs.ended, a3(Time, { at: run2.finished_at })]);
  if (run2.session_id) {
    const to = `${workspacePath(run2.workspace_id)}?session_id=${encodeURIComponent(run2.session_id)}`;
    rows.push([
      strings.runs.session,
      a3(Link, { to, children: a3("bdi", { children: run2.session_id }) })
    ]);
  }
  rows.push([strings.runs.run, a3(Id, { id: run2.run_id })]);
  return a3($, { children: [
    a3("dl", { class: "facts-list", children: rows.map(([name, value]) => a3("div", { children: [
      a3("dt", { children: name }),
      a3("dd", { children: value })
    ] }, name)) }),
    a3("p", { children: a3(Link, { to: `${workspacePath(run2.workspace_id, "access")}?run_id=${run2.run_id}`, children: strings.runs.log }) })
  ] });
}

// src/runs/runs.tsx
var STATUSES = Object.keys(strings.runs.statuses);
function Runs({ me, workspace }) {
  const { query: query2 } = useRoute();
  const list = T2(null);
  const status = STATUSES.find((each) => each === query2.get("status"));
  const pages = usePages(endpoint.runs(workspace.id, { status, limit: 100 }));
  const open2 = query2.get("run") ?? void 0;
  const close = () => {
    goWith({ run: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "Escape": () => {
      if (open2 !== void 0) return close();
      if (status === void 0) return false;
      goWith({ status: void 0 }, { replace: true });
    }
  });
  return a3("div", { class: `with-drawer ${open2 === void 0 ? "" : "drawn"}`, children: [
    a3("section", { class: "list", "aria-label": strings.tabs.runs, children: [
      a3("div", { class: "list-head", children: a3("div", { class: "segments", role: "group", "aria-label": strings.runs.status, children: [void 0, ...STATUSES].map((each) => a3(
        "button",
        {
          type: "button",
          "aria-pressed": status === each,
          onClick: () => goWith({ status: each }, { replace: true }),
          children: each ? strings.runs.statuses[each] : strings.runs.all
        },
        each ?? ""
      )) }) }),
      a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, ref: list, children: [
        pages.failure && a3(ErrorNotice, { failure: pages.failure }),
        !pages.rows && !pages.failure && a3(Skeleton, { height: 32 }),
        pages.rows?.length === 0 && !pages.isStale && a3(NoRuns, { workspace, status }),
        pages.rows && pages.rows.length > 0 && a3(Table, { runs: pages.rows, open: open2 }),
        pages.hasMore && a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
      ] })
    ] }),
    open2 !== void 0 && a3(RunDrawer, { workspace, id: open2, canEnd: may(me, "write_memories"), onClose: close }, open2)
  ] });
}
function Table({ runs, open: open2 }) {
  return a3("table", { class: "table keys runs", children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: strings.runs.run }),
      a3("th", { scope: "col", children: strings.runs.status }),
      a3("th", { scope: "col", children: strings.runs.memories }),
      a3("th", { scope: "col", children: strings.runs.by }),
      a3("th", { scope: "col", children: strings.runs.started }),
      a3("th", { scope: "col", children: strings.runs.ends })
    ] }) }),
    a3("tbody", { children: runs.map((run2) => a3("tr", { class: run2.run_id === open2 ? "open" : "", children: [
      a3("th", { scope: "row", children: a3(Link, { to: pathWith({ run: run2.run_id }), "data-row": run2.run_id, class: run2.run_id === open2 ? "open" : "", children: a3("bdi", { children: run2.label ?? `${strings.runs.run} ${run2.run_id.slice(-6)}` }) }) }),
      a3("td", { children: a3(Status, { run: run2 }) }),
      a3("td", { children: strings.runs.counts(run2.status, run2.write_count, run2.dropped_count) }),
      a3("td", { class: "value", children: a3("bdi", { children: run2.started_by }) }),
      a3("td", { children: a3(Time, { at: run2.started_at, brief: true }) }),
      a3("td", { children: a3(End, { run: run2 }) })
    ] }, run2.run_id)) })
  ] });
}
function End({ run: run2 }) {
  if (run2.status === "open") {
    return a3(Countdown, { until: run2.times_out_at, brief: true, onOver: () => invalidateRuns(run2.workspace_id) });
  }
  return run2.finished_at ? a3(Time, { at: run2.finished_at }) : null;
}
function NoRuns({ workspace, status }) {
  if (status) return a3(Empty, { title: strings.runs.nothingMatches(strings.runs.statuses[status]) });
  return a3(Empty, { title: strings.runs.none(workspace.name), children: [
    a3("p", { children: strings.runs.how }),
    a3(Snippet, { text: `orgmem run start -w ${workspace.id} --label "nightly review"`, label: strings.runs.how })
  ] });
}

// src/state/groups.ts
function groupByPrefix(entries2) {
  const groups = [];
  const counts = /* @__PURE__ */ new Map();
  for (const { key } of entries2) counts.set(prefixOf(key), (counts.get(prefixOf(key)) ?? 0) + 1);
  for (const entry of entries2) {
    const own = prefixOf(entry.key);
    const prefix = (counts.get(own) ?? 0) > 1 ? own : "";
    const last = groups.at(-1);
    if (last?.prefix === prefix) last.entries.push(entry);
    else groups.push({ prefix, entries: [entry] });
  }
  return groups;
}
function prefixOf(key) {
  return /^[^/:.]+[/:.]/.exec(key)?.[0] ?? "";
}
function parseValue(text2) {
  const trimmed = text2.trim();
  try {
    return { value: JSON.parse(trimmed), isJson: true, fault: void 0 };
  } catch (error) {
    const isJsonLike = /^[[{"]/.test(trimmed);
    return { value: text2, isJson: false, fault: isJsonLike ? withPosition(trimmed, error) : void 0 };
  }
}
function withPosition(text2, error) {
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? text2.length);
  const before = text2.slice(0, position).split("\n");
  const what = error.message.replace(/ in JSON at position.*| \(line.*|, "?.*"? is not valid JSON/, "");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
}
function formatValue(value) {
  return JSON.stringify(value, null, 2);
}

// src/state/entry.tsx
function EntryDrawer({ workspace, name, canWrite, onClose }) {
  const isNew = name === "";
  const entry = useResource(isNew ? void 0 : endpoint.entry(workspace.id, name));
  const ref = T2(null);
  const [isDeleting, setDeleting] = d2(false);
  A2(() => {
    if (!isNew) ref.current?.focus({ preventScroll: true });
  }, []);
  const isGone = entry.failure?.status === 404 && entry.data !== void 0;
  return a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": isNew ? strings.state.newKey : strings.state.title, children: [
    a3("header", { children: [
      a3("h2", { children: a3("bdi", { children: isNew ? strings.state.newKey : name }) }),
      a3(IconButton, { label: strings.close, onClick: onClose, children: a3(CloseIcon, {}) })
    ] }),
    entry.failure && !isGone && a3(ErrorNotice, { failure: entry.failure }),
    !isNew && !entry.data && !entry.failure && a3(Skeleton, { rows: 4 }),
    isGone && a3("p", { class: "notice", children: strings.state.gone }),
    (isNew || entry.data) && a3(Editor, { workspace, entry: entry.data, canWrite, onDelete: () => setDeleting(true) }),
    isDeleting && entry.data && a3(DeleteKeyDialog, { workspace, entry: entry.data, onClose: () => setDeleting(false), onDone: onClose })
  ] });
}
function Editor({ workspace, entry, canWrite, onDelete }) {
  const now = useNow();
  const [key, setKey] = d2(entry?.key ?? "");
  const [base, setBase] = d2(entry);
  const [text2, setText] = d2(entry ? formatValue(entry.value) : "");
  const [ttl, setTtl] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const [theirs, setTheirs] = d2();
  const isEdited = text2 !== (base ? formatValue(base.value) : "");
  A2(() => {
    if (entry && !isEdited && entry.version !== base?.version) {
      setBase(entry);
      setText(formatValue(entry.value));
    }
  }, [entry]);
  const parsed = parseValue(text2);
  const save3 = async (event) => {
    event.preventDefault();
    if (isBusy || parsed.fault !== void 0) return;
    setBusy(true);
    setFailure(void 0);
    const lifetime = ttl === "" ? {} : { ttl_seconds: Number(ttl) };
    try {
      const value = parsed.value;
      const { data } = await putEntry(workspace.id, { key, value, if_match_version: base?.version ?? 0, ...lifetime });
      const saved2 = { key, value, version: data.version, updated_at: (/* @__PURE__ */ new Date()).toISOString() };
      setBase(saved2);
      showToast(strings.state.saved(data.version));
      invalidateWorkspace(workspace.id);
      if (!entry) goWith({ key, new: void 0 }, { replace: true });
    } catch (error) {
      const refused = asFailure(error);
      if (refused.problem.code === "version_conflict") setTheirs(await current3(workspace.id, key));
      else setFailure(refused);
    } finally {
      setBusy(false);
    }
  };
  return a3("form", { class: "drawer-body", onSubmit: (event) => void save3(event), children: [
    !entry && a3(Field, { label: strings.state.key, hint: strings.state.keyHint, fault: fieldError(failure, "key"), children: (attributes) => a3(
      "input",
      {
        ...attributes,
        type: "text",
        required: true,
        autofocus: true,
        spellcheck: false,
        value: key,
        onInput: (event) => setKey(event.currentTarget.value)
      }
    ) }),
    entry && base && a3("p", { class: "drawer-facts", children: [
      a3("span", { class: "fact", children: strings.state.versionOf(base.version) }),
      a3("span", { class: "fact", children: [
        strings.state.changed,
        " ",
        a3(Time, { at: base.updated_at })
      ] }),
      base.expires_at && a3("span", { class: "expires", children: strings.state.expiresAt(relative(base.expires_at, now)) })
    ] }),
    canWrite ? a3($, { children: [
      a3(
        Field,
        {
          label: strings.state.value,
          hint: text2.trim() === "" ? void 0 : parsed.isJson ? strings.state.asJson : strings.state.asText,
          fault: parsed.fault ?? fieldError(failure, "value"),
          children: (attributes) => a3(
            "textarea",
            {
              ...attributes,
              class: "code",
              rows: 12,
              spellcheck: false,
              value: text2,
              onInput: (event) => setText(event.currentTarget.value),
              onKeyDown: (event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save3(event);
              }
            }
          )
        }
      ),
      a3(Field, { label: strings.state.ttl, hint: strings.state.ttlHint, children: ({ id }) => a3(Select, { id, value: ttl, options: strings.lifetimes, onChange: setTtl }) }),
      failure && fieldError(failure, "key") === void 0 && fieldError(failure, "value") === void 0 && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
      a3("footer", { children: [
        entry && a3(Button, { kind: "danger", onClick: onDelete, children: strings.state.delete }),
        a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.state.save })
      ] })
    ] }) : a3(Snippet, { text: text2, label: strings.state.value }),
    theirs !== void 0 && a3(
      Conflict,
      {
        base: base ? formatValue(base.value) : "",
        theirs: theirs && { version: theirs.version, text: formatValue(theirs.value) },
        mine: text2,
        check: (merged) => parseValue(merged).fault,
        onClose: () => setTheirs(void 0),
        onTake: (merged) => {
          setBase(theirs ?? void 0);
          setText(merged);
          setTheirs(void 0);
        }
      }
    )
  ] });
}
async function current3(workspace, key) {
  try {
    return (await api(endpoint.entry(workspace, key))).data;
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}
function DeleteKeyDialog({ workspace, entry, onClose, onDone }) {
  const setDeleting = async () => {
    await deleteEntry(workspace.id, entry.key);
    showToast(strings.state.deleted(entry.key));
    invalidateWorkspace(workspace.id);
    onDone();
  };
  return a3(Confirm, { title: strings.state.deleteTitle, size: "narrow", label: strings.state.delete, act: setDeleting, onClose, children: a3("p", { children: a3("bdi", { children: strings.state.deleteText(entry.key, entry.version, workspace.name) }) }) });
}

// src/state/state.tsx
var SHOWN5 = 160;
function State({ me, workspace }) {
  const { query: query2 } = useRoute();
  const [prefix, setPrefix] = d2("");
  const typed = useDebounced(prefix);
  const list = T2(null);
  const field = T2(null);
  const pages = usePages(endpoint.entries(workspace.id, { prefix: typed, limit: 200 }));
  const open2 = query2.get("key") ?? void 0;
  const isDrawn = open2 !== void 0 || query2.has("new");
  const canWrite = may(me, "write_entries");
  const close = () => {
    goWith({ key: void 0, new: void 0 });
    focusRow(list.current, open2);
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "w": () => canWrite ? goWith({ new: "1", key: void 0 }) : false,
    "Escape": () => {
      if (isDrawn) return close();
      if (prefix === "") return false;
      setPrefix("");
    }
  });
  return a3("div", { class: `with-drawer ${isDrawn ? "drawn" : ""}`, children: [
    a3("section", { class: "list", "aria-label": strings.tabs.state, children: [
      a3("div", { class: "list-head", children: a3("div", { class: "filter-bar", children: a3("div", { class: "filter-line", children: [
        a3("label", { class: "search", children: [
          a3(SearchIcon, {}),
          a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: strings.state.prefix,
              "aria-label": strings.state.prefix,
              spellcheck: false,
              value: prefix,
              onInput: (event) => setPrefix(event.currentTarget.value),
              onKeyDown: focusListOnArrowDown(() => moveFocus(list.current, 1))
            }
          )
        ] }),
        canWrite && a3(Button, { kind: "primary", class: "write", onClick: () => goWith({ new: "1", key: void 0 }), children: [
          a3(PlusIcon, {}),
          strings.state.newKey
        ] })
      ] }) }) }),
      a3("div", { class: `rows ${pages.isStale ? "stale" : ""}`, "aria-busy": pages.isLoading, ref: list, children: [
        pages.failure && a3(ErrorNotice, { failure: pages.failure }),
        !pages.rows && !pages.failure && a3(Skeleton, { height: 32 }),
        pages.rows?.length === 0 && a3(NoEntries, { workspace, prefix: typed }),
        pages.rows && pages.rows.length > 0 && a3(Keys, { entries: pages.rows, open: open2 }),
        pages.hasMore && a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
      ] })
    ] }),
    isDrawn && a3(EntryDrawer, { workspace, name: open2 ?? "", canWrite, onClose: close }, open2 ?? "")
  ] });
}
function Keys({ entries: entries2, open: open2 }) {
  return a3("table", { class: "table keys", children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: strings.state.key }),
      a3("th", { scope: "col", children: strings.state.value }),
      a3("th", { scope: "col", class: "number", children: strings.state.version }),
      a3("th", { scope: "col", children: strings.state.expires }),
      a3("th", { scope: "col", children: strings.state.changed })
    ] }) }),
    groupByPrefix(entries2).map((group) => a3("tbody", { children: [
      group.prefix !== "" && a3("tr", { class: "group", children: a3("th", { scope: "rowgroup", colSpan: 5, children: [
        a3("bdi", { children: group.prefix }),
        " ",
        a3("span", { class: "quiet", children: group.entries.length })
      ] }) }),
      group.entries.map((entry) => a3(EntryRow, { entry, prefix: group.prefix, isOpen: entry.key === open2 }, entry.key))
    ] }, `${group.prefix} ${group.entries[0]?.key}`))
  ] });
}
function EntryRow({ entry, prefix, isOpen }) {
  const now = useNow();
  return a3("tr", { class: isOpen ? "open" : "", children: [
    a3("th", { scope: "row", children: a3(
      Link,
      {
        to: pathWith({ key: entry.key, new: void 0 }),
        "data-row": entry.key,
        class: isOpen ? "open" : "",
        "aria-label": entry.key,
        title: entry.key,
        children: a3("bdi", { children: [
          prefix !== "" && a3("span", { class: "prefix", children: prefix }),
          entry.key.slice(prefix.length)
        ] })
      }
    ) }),
    a3("td", { class: "value", children: a3("code", { children: a3("bdi", { children: JSON.stringify(entry.value).slice(0, SHOWN5) }) }) }),
    a3("td", { class: "number", children: entry.version }),
    a3("td", { children: entry.expires_at && a3("span", { title: entry.expires_at, children: relative(entry.expires_at, now) }) }),
    a3("td", { children: a3(Time, { at: entry.updated_at, brief: true }) })
  ] });
}
function NoEntries({ workspace, prefix }) {
  if (prefix !== "") return a3(Empty, { title: strings.state.nothingMatches(prefix) });
  return a3(Empty, { title: strings.state.none(workspace.name), children: [
    a3("p", { children: strings.state.how }),
    a3(Snippet, { text: 'memory_set({ "key": "task/current", "value": { "step": 3 } })', label: strings.state.how })
  ] });
}

// src/timeline/days.ts
function byDay(rows, at) {
  const days = /* @__PURE__ */ new Map();
  for (const row of rows) {
    const name = day(at(row));
    const known = days.get(name);
    if (known) known.push(row);
    else days.set(name, [row]);
  }
  return [...days];
}

// src/timeline/trace-links.tsx
function TraceLinks({ run: run2, session }) {
  if (!run2 && !session) return null;
  return a3("span", { class: "trace-links", children: [
    run2 && a3(Link, { to: pathWith({ run: run2, session: void 0 }), title: strings.trace.show, children: strings.trace.runLink(run2) }),
    session && a3(Link, { to: pathWith({ session, run: void 0 }), title: strings.trace.show, children: a3("bdi", { children: strings.trace.sessionLink(session) }) })
  ] });
}
function openTrace() {
  const link = document.activeElement?.closest("li")?.querySelector(".trace-links a");
  return link ? link.click() : false;
}

// src/timeline/reads.tsx
var SHOWN6 = 60;
var READS = ["search_memories", "inject_memories", "read_memory", "search_session"];
function readsPath(workspace, action) {
  return endpoint.access(workspace.id, { action, limit: 100 });
}
function Reads({ workspace, pages }) {
  if (pages.rows?.length === 0 && !pages.hasMore) return a3(Empty, { title: strings.reads.none(workspace.name) });
  return a3($, { children: byDay(pages.rows ?? [], (row) => row.at).map(([day2, rows]) => a3("section", { class: "day", children: [
    a3("h2", { children: day2 }),
    a3("ol", { class: "hits reads", children: rows.map((row) => a3(Read, { row }, row.seq)) })
  ] }, day2)) });
}
function Read({ row }) {
  const hash = row.context.query_hash;
  const line2 = a3($, { children: [
    a3("time", { dateTime: row.at, title: clockWithSeconds(row.at), children: clock(row.at) }),
    a3("span", { class: "label", title: row.subject, children: a3("bdi", { children: row.subject }) }),
    a3("span", { class: "hit-text", children: [
      strings.reads.returned(row.action, row.memories.length),
      typeof hash === "string" && a3("span", { class: "quiet", title: strings.reads.hash, children: [
        " ",
        a3("code", { children: hash.slice(0, 8) })
      ] })
    ] })
  ] });
  if (row.memories.length === 0) {
    return a3("li", { children: [
      a3("div", { class: "hit", tabIndex: -1, "data-row": row.seq, children: line2 }),
      a3(TraceLinks, { run: row.run_id, session: void 0 })
    ] });
  }
  return a3("li", { children: [
    a3("details", { class: "unfold", children: [
      a3("summary", { class: "hit", "data-row": row.seq, children: line2 }),
      a3("div", { class: "body-of", children: [
        a3("ol", { class: "ranked", "aria-label": strings.reads.inOrder, children: [
          row.memories.slice(0, SHOWN6).map(({ id, version }, place) => a3("li", { children: a3(Link, { to: `${workspacePath(row.workspace_id)}?m=${id}`, title: strings.reads.version(id, version), children: [
            a3("span", { class: "quiet", children: place + 1 }),
            " ",
            a3("code", { children: id.slice(-6) })
          ] }) }, id)),
          row.memories.length > SHOWN6 && a3("li", { class: "quiet", children: strings.access.more(row.memories.length - SHOWN6) })
        ] }),
        a3("p", { class: "explanation-links", children: [
          row.run_id && a3(Link, { to: `${workspacePath(row.workspace_id, "access")}?run_id=${row.run_id}`, children: strings.runs.log }),
          a3(Link, { to: `${workspacePath(row.workspace_id, "reach")}?ask=`, children: strings.explain.missing })
        ] })
      ] })
    ] }),
    a3(TraceLinks, { run: row.run_id, session: void 0 })
  ] });
}

// src/timeline/steps.ts
var PHASES = {
  start_run: "started",
  search_memories: "recalled",
  read_memory: "recalled",
  search_session: "recalled",
  read_history: "recalled",
  inject_memories: "injected",
  hold_memory: "staged",
  commit_memory: "written",
  edit_memory: "written",
  restore_memory: "written"
};
var LOOKS = /* @__PURE__ */ new Set(["read_run", "read_access_log", "watch_events", "finish_run", "explain_memory", "count_memories"]);
var ONE_BY_ONE = /* @__PURE__ */ new Set(["hold_memory", "commit_memory", "read_memory"]);
function stepsOf(rows) {
  const steps = [];
  for (const row of rows.toSorted((a4, b2) => micros(a4.at) - micros(b2.at) || a4.seq - b2.seq)) {
    if (LOOKS.has(row.action)) continue;
    const last = steps.at(-1);
    const goesOn = last?.action === row.action && last.subject === row.subject && ONE_BY_ONE.has(row.action);
    if (last && goesOn) last.memories.push(...row.memories);
    else steps.push(stepOf(row));
  }
  return steps.map(withoutStaged(steps)).filter((step) => step.phase !== "written" || step.memories.length > 0);
}
function withoutStaged(steps) {
  const staged = new Set(steps.filter((step) => step.phase === "staged").flatMap((step) => step.memories.map(({ id }) => id)));
  return (step) => step.action === "commit_memory" ? { ...step, memories: step.memories.filter(({ id }) => !staged.has(id)) } : step;
}
function micros(at) {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? "";
  return Date.parse(at.replace(/\.\d+/, "")) * 1e3 + Number(fraction.padEnd(6, "0").slice(0, 6));
}
function stepOf(row) {
  const { query_hash: hash, entry_count: entries2 } = row.context;
  const memories3 = row.action === "inject_memories" && typeof entries2 === "number" ? row.memories.slice(0, entries2) : [...row.memories];
  return {
    seq: row.seq,
    at: row.at,
    phase: PHASES[row.action] ?? "other",
    action: row.action,
    subject: row.subject,
    workspace: row.workspace_id,
    memories: memories3,
    isRanked: row.action === "search_memories" || row.action === "inject_memories",
    queryHash: typeof hash === "string" ? hash : void 0
  };
}
function countsOf(steps) {
  const of = (...phases) => new Set(steps.filter((step) => phases.includes(step.phase)).flatMap((step) => step.memories.map(({ id }) => id))).size;
  return { recalled: of("recalled"), injected: of("injected"), written: of("staged", "written"), committed: of("written") };
}

// src/timeline/trace.tsx
var MOST2 = 2e3;
var SHOWN7 = 12;
var CHIP = 64;
var UNFOLDED = 3;
function Trace({ workspace, run: run2, session, onClose }) {
  const ref = T2(null);
  A2(() => ref.current?.focus({ preventScroll: true }), []);
  const detail = useResource(run2 && endpoint.run(workspace.id, run2, { limit: 200 }));
  const title = run2 === void 0 ? strings.trace.session(session ?? "") : strings.trace.run(detail.data?.label, run2);
  return a3("aside", { class: "drawer", ref, tabIndex: -1, "aria-label": strings.trace.title, children: [
    a3("header", { children: [
      a3("h2", { children: a3("bdi", { children: title }) }),
      a3(IconButton, { label: strings.close, onClick: onClose, children: a3(CloseIcon, {}) })
    ] }),
    a3("div", { class: "drawer-body", children: [
      run2 !== void 0 && detail.isLoading && !detail.data && a3(Skeleton, { rows: 4, height: 32 }),
      run2 !== void 0 && (detail.data || detail.failure) && a3($, { children: [
        detail.failure?.isTransient && a3(ErrorNotice, { failure: detail.failure }),
        detail.failure?.status === 404 && a3("p", { class: "notice", children: strings.trace.unknown }),
        a3(RunTrace, { workspace, id: run2, run: detail.data, pending: detail.data?.pending, withSummary: true }),
        a3(RunLinks, { workspace, id: run2, run: detail.data })
      ] }),
      run2 === void 0 && session !== void 0 && a3(SessionTrace, { workspace, session })
    ] })
  ] });
}
function useAll(path) {
  const pages = usePages(path);
  const wants = pages.hasMore && !pages.isLoading && !pages.failure && (pages.rows?.length ?? 0) < MOST2;
  A2(() => {
    if (wants) pages.more();
  }, [wants, pages.rows]);
  return pages;
}
function RunTrace({ workspace, id, run: run2, pending = [], withSummary = false }) {
  const since = run2 ? { since: run2.started_at } : {};
  const path = endpoint.access(workspace.id, { run_id: id, limit: 500, ...since });
  const log = useAll(path);
  const written = useAll(endpoint.memories(workspace.id, { run_id: id, limit: 50 }));
  const hasFieldError = T2(false);
  A2(() => {
    if (hasFieldError.current) refresh(path);
    hasFieldError.current = true;
  }, [run2?.status, run2?.write_count]);
  if (log.failure) return a3(ErrorNotice, { failure: log.failure });
  if (!log.rows) return a3(Skeleton, { rows: 4, height: 32 });
  const isWhole = !log.hasMore;
  const steps = stepsOf(log.rows);
  const texts = new Map([...pending, ...written.rows ?? []].map((memory) => [memory.id, memory.content]));
  return a3($, { children: [
    withSummary && a3(Summary, { counts: countsOf(steps), run: run2, isWhole }),
    steps.length === 0 && isWhole && a3(Empty, { title: strings.trace.empty }),
    log.hasMore && !log.isLoading && a3("p", { class: "notice", children: strings.trace.truncated(log.rows.length) }),
    a3("ol", { class: "trace", "aria-busy": log.isLoading, "aria-label": strings.trace.steps, children: [
      steps.map((step) => a3(RunStep, { step, run: run2, texts }, step.seq)),
      run2 && a3(End2, { run: run2 })
    ] })
  ] });
}
function Summary({ counts, run: run2, isWhole }) {
  const { counts: labels } = strings.trace;
  const shown2 = (count3) => isWhole ? String(count3) : strings.unknown;
  const [end, count2, isLost] = run2 ? endOf(run2) : [labels.committed, void 0, false];
  const cells = [
    [labels.recalled, shown2(counts.recalled)],
    [labels.injected, shown2(counts.injected)],
    [labels.written, shown2(counts.written)],
    [end, count2 === void 0 ? shown2(counts.committed) : String(count2), isLost]
  ];
  return a3("ol", { class: "trace-summary", "aria-label": strings.trace.summary, children: cells.map(([label, value, isBad]) => a3("li", { class: isBad ? "bad" : "", children: [
    a3("b", { children: value }),
    a3("span", { children: label })
  ] }, label)) });
}
function endOf(run2) {
  const { counts: labels } = strings.trace;
  if (run2.status === "open") return [labels.pending, run2.write_count, false];
  if (run2.status === "completed") return [labels.committed, run2.write_count, false];
  return [labels.dropped, run2.dropped_count, run2.dropped_count > 0];
}
function RunStep({ step, run: run2, texts }) {
  const { memories: memories3 } = step;
  const state = step.phase === "staged" && run2 ? stagedState(run2) : "there";
  return a3("li", { class: `step ${step.phase}`, children: [
    a3("time", { dateTime: step.at, title: exact(step.at), children: clockWithSeconds(step.at) }),
    a3("div", { class: "step-text", children: [
      a3("p", { children: [
        strings.trace.stepText(step),
        step.queryHash && a3("span", { class: "quiet", title: strings.reads.hash, children: [
          " ",
          a3("code", { children: step.queryHash.slice(0, 8) })
        ] }),
        step.subject !== run2?.started_by && a3("span", { class: "quiet", children: [
          " ",
          a3("bdi", { children: strings.trace.by(step.subject) })
        ] })
      ] }),
      memories3.length > 0 && a3("ol", { class: "ranked", "aria-label": strings.trace.memoriesLabel(step.phase), children: [
        memories3.slice(0, SHOWN7).map(({ id, version }, place) => a3("li", { children: a3(
          Chip2,
          {
            workspace: step.workspace,
            id,
            version,
            place: step.isRanked ? place + 1 : void 0,
            text: texts.get(id),
            state
          }
        ) }, id)),
        memories3.length > SHOWN7 && a3("li", { class: "quiet", children: strings.access.more(memories3.length - SHOWN7) })
      ] })
    ] })
  ] });
}
function stagedState({ status }) {
  return status === "completed" ? "there" : "gone";
}
function Chip2({ workspace, id, version, place, text: text2, state }) {
  const named2 = a3($, { children: [
    place !== void 0 && a3("span", { class: "quiet", children: place }),
    " ",
    text2 === void 0 ? a3("code", { children: id.slice(-6) }) : a3(Content, { text: text2.length > CHIP ? `${text2.slice(0, CHIP)}…` : text2 })
  ] });
  if (state === "gone") {
    return a3("span", { class: "dropped-chip", title: id, children: a3("del", { children: named2 }) });
  }
  return a3(Link, { to: `${workspacePath(workspace)}?m=${id}`, title: strings.reads.version(id, version), children: named2 });
}
function End2({ run: run2 }) {
  const isLost = run2.dropped_count > 0;
  return a3("li", { class: `step ended ${run2.status === "open" ? "open" : ""} ${isLost ? "bad" : ""}`, children: [
    run2.finished_at ? a3("time", { dateTime: run2.finished_at, title: exact(run2.finished_at), children: clockWithSeconds(run2.finished_at) }) : a3(Countdown, { until: run2.times_out_at, brief: true, onOver: () => invalidateRuns(run2.workspace_id) }),
    a3("div", { class: "step-text", children: a3("p", { children: [
      a3(Status, { run: run2 }),
      strings.trace.end(run2.status, run2.write_count, run2.dropped_count)
    ] }) })
  ] });
}
function RunLinks({ workspace, id, run: run2 }) {
  return a3("p", { class: "explanation-links", children: [
    run2 && a3(Link, { to: `${workspacePath(workspace.id, "runs")}?run=${id}`, children: strings.trace.openRun }),
    run2?.session_id && a3(Link, { to: pathWith({ run: void 0, session: run2.session_id }), children: a3("bdi", { children: strings.trace.session(run2.session_id) }) }),
    a3(Link, { to: `${workspacePath(workspace.id, "access")}?run_id=${id}`, children: strings.runs.log }),
    a3(Id, { id }),
    run2?.status === "open" && a3(Button, { kind: "quiet", onClick: () => invalidate((path) => path.includes(id)), children: strings.refresh })
  ] });
}
function SessionTrace({ workspace, session }) {
  const runs = useAll(endpoint.runs(workspace.id, { session_id: session, limit: 200 }));
  const hits = useAll(endpoint.session(workspace.id, { session_id: session, limit: 200 }));
  const failure = runs.failure ?? hits.failure;
  if (failure) return a3(ErrorNotice, { failure });
  if (!runs.rows || !hits.rows) return a3(Skeleton, { rows: 4, height: 32 });
  const known = new Set(runs.rows.map((run2) => run2.run_id));
  const loose = hits.rows.filter((hit) => !(hit.run_id && known.has(hit.run_id)) && hit.method !== "commit_memory");
  const all = [
    ...runs.rows.map((run2) => ({ at: run2.started_at, run: run2 })),
    ...loose.map((hit) => ({ at: hit.created_at, hit }))
  ];
  all.sort((a4, b2) => Date.parse(a4.at) - Date.parse(b2.at));
  const isWhole = !runs.hasMore && !hits.hasMore;
  const isBusy = runs.isLoading || hits.isLoading;
  return a3($, { children: [
    a3(SessionSummary, { runs: runs.rows, loose, isWhole }),
    all.length === 0 && isWhole && a3(Empty, { title: strings.trace.emptySession }),
    !isWhole && !isBusy && a3("p", { class: "notice", children: strings.trace.truncated(all.length) }),
    a3("ol", { class: "trace", "aria-busy": isBusy, "aria-label": strings.trace.steps, children: all.map(
      ({ run: run2, hit }) => run2 ? a3(RunOfSession, { workspace, run: run2, isOpen: known.size <= UNFOLDED }, run2.run_id) : hit && a3(SessionHitItem, { workspace, hit }, hit.id)
    ) }),
    a3("p", { class: "explanation-links", children: a3(Link, { to: `${workspacePath(workspace.id)}?session_id=${encodeURIComponent(session)}`, children: strings.trace.memories }) })
  ] });
}
function SessionSummary({ runs, loose, isWhole }) {
  const { counts: labels } = strings.trace;
  const outside = loose.filter((hit) => hit.kind === "memory").length;
  const sum = (of) => runs.reduce((total2, run2) => total2 + of(run2), 0);
  const pending = sum((run2) => run2.status === "open" ? run2.write_count : 0);
  const dropped = sum((run2) => run2.dropped_count);
  const committed = outside + sum((run2) => run2.status === "open" ? 0 : run2.write_count);
  const cells = [
    [labels.runs(runs.length), runs.length],
    [labels.pending, pending],
    [labels.committed, committed],
    [labels.dropped, dropped, dropped > 0]
  ];
  return a3("ol", { class: "trace-summary tally", "aria-label": strings.trace.summary, children: cells.map(([label, count2, isLost]) => a3("li", { class: isLost ? "bad" : "", children: [
    a3("b", { children: isWhole ? count2 : strings.unknown }),
    a3("span", { children: label })
  ] }, label)) });
}
function RunOfSession({ workspace, run: run2, isOpen }) {
  return a3("li", { class: "step run-step", children: [
    a3("time", { dateTime: run2.started_at, title: exact(run2.started_at), children: clockWithSeconds(run2.started_at) }),
    a3("div", { class: "step-text", children: [
      a3("p", { children: [
        a3(Link, { to: pathWith({ run: run2.run_id, session: void 0 }), children: a3("bdi", { children: strings.trace.run(run2.label, run2.run_id) }) }),
        " ",
        a3(Status, { run: run2 }),
        " ",
        a3("span", { class: "quiet", children: strings.runs.counts(run2.status, run2.write_count, run2.dropped_count) })
      ] }),
      isOpen && a3(RunTrace, { workspace, id: run2.run_id, run: run2 })
    ] })
  ] });
}
function SessionHitItem({ workspace, hit }) {
  const isMemory = hit.kind === "memory";
  return a3("li", { class: `step ${isMemory ? "written" : "noted"}`, children: [
    a3("time", { dateTime: hit.created_at, title: exact(hit.created_at), children: clockWithSeconds(hit.created_at) }),
    a3("div", { class: "step-text", children: a3("p", { children: [
      a3("span", { class: "quiet", children: a3("bdi", { children: hit.label }) }),
      " ",
      isMemory ? a3(Link, { to: `${workspacePath(workspace.id)}?m=${hit.id}`, children: a3(Content, { text: hit.content.slice(0, 240) }) }) : a3(Content, { text: hit.content.slice(0, 240) })
    ] }) })
  ] });
}

// src/timeline/timeline.tsx
function Timeline({ workspace }) {
  const { query: query2 } = useRoute();
  const { text: text2, setText, typed } = useSearchText();
  const list = T2(null);
  const field = T2(null);
  const kind = query2.get("kind") ?? "";
  const order = typed === "" ? "" : query2.get("order") ?? "";
  const isReads = kind === "reads";
  const action = query2.get("read") ?? READS[0];
  const happened = isReads ? void 0 : endpoint.session(workspace.id, { q: typed, kind, order, limit: 100 });
  const hits = usePages(happened);
  const reads = usePages(isReads ? readsPath(workspace, action) : void 0);
  const pages = isReads ? reads : hits;
  const run2 = query2.get("run") ?? void 0;
  const session = query2.get("session") ?? void 0;
  const isTraceOpen = run2 !== void 0 || session !== void 0;
  const from = T2(void 0);
  const close = () => {
    goWith({ run: void 0, session: void 0 });
    document.getElementById("main")?.focus();
    focusRow(list.current, from.current);
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "p": () => openTrace(),
    "Escape": () => {
      if (isTraceOpen) return close();
      return text2 === "" ? false : setText("");
    }
  });
  return a3("div", { class: `with-drawer ${isTraceOpen ? "drawn" : ""}`, children: [
    a3("section", { class: "list", "aria-label": strings.tabs.timeline, children: [
      a3("div", { class: "list-head", children: a3("div", { class: "filter-bar", children: a3("div", { class: "filter-line", children: [
        !isReads && a3("label", { class: "search", children: [
          a3(SearchIcon, {}),
          a3(
            "input",
            {
              ref: field,
              type: "search",
              placeholder: strings.timeline.search,
              "aria-label": strings.timeline.search,
              spellcheck: false,
              value: text2,
              onInput: (event) => setText(event.currentTarget.value),
              onKeyDown: focusListOnArrowDown(() => moveFocus(list.current, 1))
            }
          )
        ] }),
        a3("div", { class: "segments", role: "group", "aria-label": strings.timeline.kind, children: strings.timeline.kinds.map(([each, label]) => a3(
          "button",
          {
            type: "button",
            "aria-pressed": kind === each,
            onClick: () => goWith({ kind: each, read: void 0 }, { replace: true }),
            children: label
          },
          each
        )) }),
        isReads && a3(
          Select,
          {
            label: strings.reads.which,
            value: action,
            options: strings.reads.kinds,
            onChange: (read) => goWith({ read }, { replace: true })
          }
        ),
        typed !== "" && !isReads && a3(
          Select,
          {
            label: strings.memories.order,
            value: order,
            options: strings.timeline.orders,
            onChange: (each) => goWith({ order: each }, { replace: true })
          }
        )
      ] }) }) }),
      a3(
        "div",
        {
          class: `rows ${pages.isStale ? "stale" : ""}`,
          "aria-busy": pages.isLoading,
          ref: list,
          onFocusCapture: ({ target }) => {
            from.current = rowOf(target);
          },
          children: [
            pages.failure && a3(ErrorNotice, { failure: pages.failure }),
            !pages.rows && !pages.failure && a3(Skeleton, { height: 32 }),
            isReads && reads.rows && a3(Reads, { workspace, pages: reads }),
            !isReads && hits.rows?.length === 0 && a3(Empty, { title: typed === "" ? strings.timeline.none(workspace.name) : strings.timeline.nothingMatches, children: typed === "" && a3("p", { children: strings.timeline.how }) }),
            !isReads && hits.rows && hits.rows.length > 0 && a3(Days, { workspace, hits: hits.rows, query: typed, isByTime: order !== "relevance" }),
            pages.hasMore && a3(Button, { kind: "quiet", class: "more", isBusy: pages.isLoading, onClick: pages.more, children: strings.more })
          ]
        }
      )
    ] }),
    isTraceOpen && a3(Trace, { workspace, run: run2, session, onClose: close }, run2 ?? session)
  ] });
}
function rowOf(target) {
  const row = target instanceof Element && target.closest("li:has([data-row])")?.querySelector("[data-row]");
  return row ? row.dataset.row : void 0;
}
function Days({ workspace, hits, query: query2, isByTime }) {
  if (!isByTime) {
    return a3("ol", { class: "hits", children: hits.map((hit) => a3(Hit, { workspace, hit, query: query2 }, hit.id)) });
  }
  return a3($, { children: byDay(hits, (hit) => hit.created_at).map(([name, dayHits]) => a3("section", { class: "day", children: [
    a3("h2", { children: name }),
    a3("ol", { class: "hits", children: dayHits.map((hit) => a3(Hit, { workspace, hit, query: query2 }, hit.id)) })
  ] }, name)) });
}
function Hit({ workspace, hit, query: query2 }) {
  const isMemory = hit.kind === "memory";
  const hasBody = hit.request_body != null || hit.response_body != null;
  const isFailed = hit.status !== null && hit.status !== void 0 && /^(error|failed|timeout|refused)/.test(hit.status);
  const line2 = a3($, { children: [
    a3("time", { dateTime: hit.created_at, title: clockWithSeconds(hit.created_at), children: clock(hit.created_at) }),
    a3("span", { class: `label ${isMemory ? "of-memory" : ""}`, children: a3("bdi", { children: hit.label }) }),
    a3("span", { class: "hit-text", children: [
      a3(Content, { text: hit.content, query: query2 }),
      hit.method && a3("span", { class: "quiet", children: [
        " ",
        a3("code", { children: a3("bdi", { children: hit.method }) })
      ] })
    ] }),
    hit.status && hit.status !== "ok" && a3("span", { class: `status ${isFailed ? "bad" : ""}`, children: hit.status })
  ] });
  if (isMemory) {
    return a3("li", { children: [
      a3(Link, { to: `${workspacePath(workspace.id)}?m=${hit.id}`, class: "hit", "data-row": hit.id, children: line2 }),
      a3(TraceLinks, { run: hit.run_id, session: hit.session_id })
    ] });
  }
  if (!hasBody) {
    return a3("li", { children: [
      a3("div", { class: "hit", tabIndex: -1, "data-row": hit.id, children: line2 }),
      a3(TraceLinks, { run: hit.run_id, session: hit.session_id })
    ] });
  }
  return a3("li", { children: [
    a3("details", { class: "unfold", children: [
      a3("summary", { class: "hit", "data-row": hit.id, children: line2 }),
      hit.request_body != null && a3(Body, { title: strings.timeline.request, body: hit.request_body }),
      hit.response_body != null && a3(Body, { title: strings.timeline.response, body: hit.response_body })
    ] }),
    a3(TraceLinks, { run: hit.run_id, session: hit.session_id })
  ] });
}
function Body({ title, body }) {
  return a3("div", { class: "body-of", children: [
    a3("h3", { children: title }),
    a3(Snippet, { text: JSON.stringify(body, null, 2), label: title })
  ] });
}

// src/screens/preview.tsx
function ImpactPreview({ dryRun }) {
  if (dryRun.failure) return a3(ErrorMessage, { failure: dryRun.failure });
  if (dryRun.isLoading) return a3(Skeleton, { rows: 2, height: 32 });
  if (!dryRun.data) return null;
  const { affected, more } = dryRun.data;
  return a3("section", { class: "preview", role: "status", "aria-label": strings.preview.title, children: [
    a3("h3", { children: strings.preview.title }),
    affected.length === 0 && a3("p", { children: strings.preview.nothing }),
    affected.length > 0 && a3("ul", { tabIndex: 0, "aria-label": strings.preview.affected(affected.length + more), children: [
      affected.map((one) => a3(Affected, { one }, one.workspace_id)),
      more > 0 && a3("li", { class: "quiet", children: strings.preview.more(more) })
    ] })
  ] });
}
function Affected({ one }) {
  return a3("li", { children: [
    a3("span", { class: "preview-name", children: [
      a3("bdi", { children: one.name }),
      one.removed && a3("span", { class: "status bad", children: [
        " ",
        strings.preview.removed
      ] })
    ] }),
    a3("span", { class: "preview-counts", children: [
      a3(Counts, { counts: one.gains, sign: "+", name: strings.preview.gains }),
      a3(Counts, { counts: one.loses, sign: "−", name: strings.preview.loses })
    ] }),
    a3("p", { children: a3("bdi", { children: asSentence(one.summary) }) })
  ] });
}
function Counts({ counts, sign, name }) {
  const given = SCOPES.map((scope) => [scope, counts[scope.toLowerCase()]]);
  return a3($, { children: given.map(
    ([scope, count2]) => count2 === 0 ? null : a3("span", { class: `scope ${scope.toLowerCase()}`, children: [
      a3(ScopeSign, { scope }),
      a3("span", { children: [
        a3("span", { class: "unseen", children: [
          name,
          " "
        ] }),
        a3("span", { "aria-hidden": "true", children: sign }),
        count2,
        " ",
        scope
      ] })
    ] }, scope)
  ) });
}

// src/screens/workspace-actions.tsx
function WorkspaceActions({ me, workspace }) {
  const menu = T2(null);
  const button = T2(null);
  const [doing, begin] = d2();
  const isRoot = workspace.path.length === 0 && workspace.id === workspace.org_id;
  const offered = [
    ...may(me, "edit_workspace") ? ["rename"] : [],
    ...may(me, "move_workspace") && !isRoot ? ["move"] : [],
    ...may(me, "remove_workspace") ? ["remove"] : []
  ];
  if (offered.length === 0) return null;
  const end = () => {
    begin(void 0);
    button.current?.focus();
  };
  return a3($, { children: [
    a3("button", { type: "button", class: "button", popovertarget: "change", ref: button, children: strings.workspaceActions.menu }),
    a3(
      "div",
      {
        id: "change",
        class: "menu change-menu",
        popover: "auto",
        ref: menu,
        onBeforeToggle: () => placeBelow2(menu.current, button.current),
        children: offered.map((what) => a3(
          Button,
          {
            kind: "quiet",
            onClick: () => {
              menu.current?.hidePopover();
              begin(what);
            },
            children: strings.workspaceActions[what]
          },
          what
        ))
      }
    ),
    doing === "rename" && a3(Rename, { workspace, onClose: end }),
    doing === "move" && a3(Move, { workspace, onClose: end }),
    doing === "remove" && a3(Remove, { workspace, onClose: end })
  ] });
}
function placeBelow2(menu, button) {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 168))}px`;
}
function Rename({ workspace, onClose }) {
  const [name, setName] = d2(workspace.name);
  const [role, setRole] = d2(workspace.role ?? "");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await patchWorkspace(workspace.id, { name, role: role.trim() === "" ? null : role.trim() });
      showToast(strings.workspaceActions.renamed(name));
      onClose();
      invalidateTree();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const faults = [fieldError(failure, "name"), fieldError(failure, "role")];
  return a3(Dialog, { title: strings.workspaceActions.renameTitle(workspace.name), size: "narrow", onClose, children: a3("form", { onSubmit: (event) => void submit(event), children: [
    a3(Field, { label: strings.workspace.name, fault: faults[0], children: (attributes) => a3(
      "input",
      {
        ...attributes,
        type: "text",
        required: true,
        autofocus: true,
        value: name,
        onInput: (event) => setName(event.currentTarget.value)
      }
    ) }),
    a3(Field, { label: strings.workspace.role, hint: strings.workspace.roleHint, fault: faults[1], children: (attributes) => a3("input", { ...attributes, type: "text", value: role, onInput: (event) => setRole(event.currentTarget.value) }) }),
    a3(ErrorMessage, { failure: faults.some(Boolean) ? void 0 : failure }),
    a3("footer", { children: [
      a3(Button, { onClick: onClose, children: strings.cancel }),
      a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.workspaceActions.save })
    ] })
  ] }) });
}
function Move({ workspace, onClose }) {
  const [target, setTarget] = d2();
  const dryRun = useDryRun(target?.id, (signal) => dryRunMove(workspace.id, target?.id ?? "", signal));
  const move = async () => {
    if (!target) return false;
    await patchWorkspace(workspace.id, { parent_id: target.id });
    showToast(strings.workspaceActions.moved(workspace.name, target.name));
    invalidateTree();
    return true;
  };
  const { moveTitle, moveTo, moveHint, moveDo } = strings.workspaceActions;
  return a3(
    Confirm,
    {
      title: moveTitle(workspace.name),
      kind: "primary",
      label: dryRun.data && moveDo(workspace.descendant_count + 1),
      act: move,
      onClose,
      children: [
        a3(Field, { label: moveTo, hint: moveHint, children: ({ id }) => a3(
          Picker,
          {
            id,
            org: workspace.org_id,
            label: moveTo,
            placeholder: target?.name,
            isWanted: false,
            onPick: setTarget
          }
        ) }),
        a3(ImpactPreview, { dryRun })
      ]
    }
  );
}
function Remove({ workspace, onClose }) {
  const [children, setChildren] = d2("promote");
  const below2 = workspace.descendant_count;
  const wanted = below2 > 0 ? children : void 0;
  const dryRun = useDryRun(wanted ?? "", (signal) => dryRunRemoval(workspace.id, wanted, signal));
  const { local, team, global } = workspace.memories;
  const remove = async () => {
    await removeWorkspace(workspace.id, wanted);
    showToast(strings.workspaceActions.removed(workspace.name));
    const parent2 = workspace.path.at(-1);
    go(parent2 ? workspacePath(parent2.id) : "./");
    invalidateTree();
  };
  const going = below2 > 0 && children === "cascade" ? below2 + 1 : 1;
  const { removeTitle, removeText, removeDo } = strings.workspaceActions;
  return a3(
    Confirm,
    {
      title: removeTitle(workspace.name),
      label: dryRun.data && removeDo(going),
      act: remove,
      onClose,
      children: [
        a3("p", { children: a3("bdi", { children: removeText(workspace.name, local + team + global) }) }),
        below2 > 0 && a3("fieldset", { class: "scope-choice", children: [
          a3("legend", { children: strings.workspaceActions.below(below2) }),
          ["promote", "cascade"].map((each) => a3("label", { class: "choice-line", children: [
            a3("input", { type: "radio", name: "children", checked: children === each, onChange: () => setChildren(each) }),
            strings.workspaceActions[each]
          ] }, each))
        ] }),
        a3(ImpactPreview, { dryRun })
      ]
    }
  );
}

// src/screens/snippets.ts
var json = (value) => JSON.stringify(value, null, 2);
var servers = (server) => json({ mcpServers: { orgmem: server } });
function snippets({ url, token, workspace }) {
  const mcp = `${url}/mcp`;
  const bearer = (variable) => ({ Authorization: `Bearer ${token ?? variable}` });
  const secret = token ?? "<a token for this workspace>";
  const texts = [
    ["claude-code", servers({ type: "http", url: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["claude-desktop", servers({ command: "orgmem", args: ["mcp"], env: { ORGMEM_URL: url, ORGMEM_TOKEN: secret } })],
    ["cursor", servers({ url: mcp, headers: bearer("${env:ORGMEM_TOKEN}") })],
    ["vscode", vscode(mcp, token)],
    ["gemini-cli", servers({ httpUrl: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["codex", codex(mcp, token)],
    ["rest", rest(url, token, workspace)],
    ["cli", cli(url, token)]
  ];
  return texts.map(([id, text2]) => ({ id, text: text2, ...strings.clients[id] }));
}
function vscode(url, token) {
  const server = (value) => ({ orgmem: { type: "http", url, headers: { Authorization: `Bearer ${value}` } } });
  if (token !== void 0) return json({ servers: server(token) });
  const input = { type: "promptString", id: "orgmem-token", description: "Token for orgmem", password: true };
  return json({ servers: server("${input:orgmem-token}"), inputs: [input] });
}
function codex(url, token) {
  const authorization = token === void 0 ? 'bearer_token_env_var = "ORGMEM_TOKEN"' : `http_headers = { Authorization = "Bearer ${token}" }`;
  return `[mcp_servers.orgmem]
url = "${url}"
${authorization}`;
}
function rest(url, token, workspace) {
  const memories3 = `${url}/workspaces/${workspace.id}/memories`;
  const authorization = `-H "Authorization: Bearer ${token ?? "$ORGMEM_TOKEN"}"`;
  const body = `-H "Content-Type: application/json" -d '{"content": "…", "scope": "TEAM"}'`;
  return `curl -sS ${authorization} "${memories3}?q=deploy"
curl -sS ${authorization} ${body} ${memories3}`;
}
function cli(url, token) {
  const lines2 = [
    `export ORGMEM_URL=${url}`,
    token === void 0 ? void 0 : `export ORGMEM_TOKEN=${token}`,
    'orgmem search "deploy"',
    'orgmem commit --scope TEAM "…"'
  ];
  return lines2.filter((line2) => line2 !== void 0).join("\n");
}

// src/screens/tokens.tsx
function invalidateTokens(workspace) {
  invalidate((path) => path.startsWith(endpoint.tokens(workspace.id)));
}
function Tokens({ workspace }) {
  const pages = usePages(endpoint.tokens(workspace.id));
  const [asking, ask] = d2();
  const ending = useDryRun(asking === "all" ? workspace.id : void 0, (signal) => dryRunRevocation(workspace.id, signal));
  const end = () => ask(void 0);
  const askAbout = (token) => {
    invalidateTokens(workspace);
    ask(token);
  };
  const selected = pages.isLoading || asking === "all" ? void 0 : pages.rows?.find(({ jti }) => jti === asking?.jti);
  const open2 = selected?.streams;
  const revoke = async () => {
    if (asking === "all") await revokeTokens(workspace.id);
    else if (asking) await revokeToken(asking.jti);
    showToast(asking === "all" ? strings.tokens.allRevoked(workspace.name) : strings.tokens.revoked);
    invalidateTokens(workspace);
  };
  const { title, description, revokeAll, allTitle, oneTitle, confirmOne } = strings.tokens;
  return a3("section", { "aria-busy": pages.isLoading, children: [
    a3("h2", { children: title }),
    a3("p", { class: "quiet", children: description }),
    pages.failure && a3(ErrorNotice, { failure: pages.failure }),
    pages.rows?.length === 0 && a3("p", { children: strings.tokens.none }),
    pages.rows && pages.rows.length > 0 && a3(Table2, { tokens: pages.rows, revoke: askAbout }),
    pages.hasMore && a3(Button, { kind: "quiet", isBusy: pages.isLoading, onClick: pages.more, children: strings.more }),
    a3("div", { class: "actions", children: [
      a3(Button, { kind: "danger", onClick: () => ask("all"), children: revokeAll }),
      a3(Link, { class: "button quiet", to: `${workspacePath(workspace.id, "access")}?action=issue_token&only=1`, children: strings.tokens.issuers })
    ] }),
    asking === "all" && a3(Confirm, { title: allTitle, size: "narrow", label: revokeAll, act: revoke, onClose: end, children: [
      a3("p", { children: a3("bdi", { children: strings.tokens.allText(workspace.name) }) }),
      a3("p", { children: strings.tokens.allEffect(ending.data?.tokens, ending.data?.streams) })
    ] }),
    asking && asking !== "all" && a3(Confirm, { title: oneTitle, size: "narrow", label: confirmOne, act: revoke, onClose: end, children: [
      a3("p", { children: a3("bdi", { children: strings.tokens.oneText(asking.subject) }) }),
      a3("p", { children: strings.tokens.oneEffect(open2) })
    ] })
  ] });
}
function Table2({ tokens, revoke }) {
  return a3("table", { class: "table tokens", children: [
    a3("thead", { children: a3("tr", { children: [
      a3("th", { scope: "col", children: strings.tokens.subject }),
      a3("th", { scope: "col", children: strings.tokens.role }),
      a3("th", { scope: "col", children: strings.tokens.issued }),
      a3("th", { scope: "col", title: strings.tokens.usedHint, children: strings.tokens.used }),
      a3("th", { scope: "col", children: strings.tokens.expires }),
      a3("th", { scope: "col", children: a3("span", { class: "unseen", children: strings.tokens.confirmOne }) })
    ] }) }),
    a3("tbody", { children: tokens.map((token) => a3("tr", { children: [
      a3("th", { scope: "row", children: a3("bdi", { children: token.subject }) }),
      a3("td", { children: token.role }),
      a3("td", { children: a3(Time, { at: token.issued_at }) }),
      a3("td", { children: token.last_used_at ? a3(Time, { at: token.last_used_at }) : strings.tokens.unused }),
      a3("td", { children: token.revoked_at ? a3($, { children: [
        strings.tokens.revokedMark,
        " ",
        a3(Time, { at: token.revoked_at })
      ] }) : a3(Time, { at: token.expires_at }) }),
      a3("td", { children: !token.revoked_at && a3(Button, { kind: "quiet", onClick: () => revoke(token), children: strings.tokens.revokeOne }) })
    ] }, token.jti)) })
  ] });
}

// src/screens/connect.tsx
function Connect({ me, workspace }) {
  const [issued, setIssued] = d2();
  const [client, setClient] = d2("claude-code");
  const url = ROOT.href.replace(/\/$/, "");
  const all = snippets({ url, token: issued?.role === "agent" ? issued.token : void 0, workspace });
  const shown2 = all.find((each) => each.id === client) ?? all[0];
  const canIssue = may(me, "manage_tokens");
  return a3("div", { class: "connect", children: [
    a3("section", { children: [
      a3("h2", { children: strings.connect.token }),
      canIssue ? a3(Issue, { me, workspace, issued, onIssued: setIssued }) : a3("p", { children: strings.connect.askAdmin })
    ] }),
    a3("section", { children: [
      a3("h2", { children: strings.connect.client }),
      a3("div", { class: "segments wrap", role: "group", "aria-label": strings.connect.client, children: all.map((each) => a3("button", { type: "button", "aria-pressed": each.id === shown2?.id, onClick: () => setClient(each.id), children: each.name }, each.id)) }),
      shown2 && a3($, { children: [
        a3("p", { children: shown2.where }),
        a3(Snippet, { text: shown2.text, label: shown2.name })
      ] }),
      issued?.role !== "agent" && a3("p", { class: "quiet", children: strings.connect.variable })
    ] }),
    canIssue && a3(Tokens, { workspace })
  ] });
}
function Issue({ me, workspace, issued, onIssued }) {
  const [role, setRole] = d2("agent");
  const [lifetime, setLifetime] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const roles = may(me, "manage_admin_tokens") ? strings.connect.roles : strings.connect.roles.slice(0, 1);
  const issue = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(void 0);
    try {
      const request = { role, ...lifetime === "" ? {} : { expires_in: Number(lifetime) } };
      onIssued((await issueToken(workspace.id, request)).data);
      invalidateTokens(workspace);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return a3($, { children: [
    a3("form", { class: "issue", onSubmit: (event) => void issue(event), children: [
      a3(Field, { label: strings.connect.role, children: ({ id }) => a3(Select, { id, value: role, options: roles, onChange: setRole }) }),
      a3(Field, { label: strings.connect.lifetime, children: ({ id }) => a3(Select, { id, value: lifetime, options: strings.connect.lifetimes, onChange: setLifetime }) }),
      a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.connect.issue })
    ] }),
    failure && a3("p", { class: "fault", role: "alert", children: failureMessage(failure) }),
    issued && a3("div", { class: "issued", children: [
      a3("p", { children: [
        a3("strong", { children: strings.connect.once }),
        " ",
        strings.connect.until(issued.role, exact(issued.expires_at))
      ] }),
      a3(Snippet, { text: issued.token, label: strings.connect.token })
    ] })
  ] });
}

// src/screens/workspace.tsx
var LISTS = ["memories", "state", "timeline", "runs", "access"];
function WorkspaceScreen({ me, id, tab }) {
  const workspace = useResource(endpoint.workspace(id));
  useTitle(strings.tabs[tab], workspace.data?.name);
  const keys = TABS.map((each, index) => [String(index + 1), () => go(workspacePath(id, each))]);
  useKeys({ ...Object.fromEntries(keys), "c": () => go(`${workspacePath(id, "reach")}?with=`) });
  if (workspace.failure && !workspace.data) {
    return a3("main", { id: "main", class: "work", tabIndex: -1, children: [
      a3("h1", { children: strings.workspace.absent }),
      a3(ErrorNotice, { failure: workspace.failure })
    ] });
  }
  return a3("main", { id: "main", class: `work ${LISTS.includes(tab) ? "of-list" : ""}`, tabIndex: -1, children: [
    a3(Head, { me, workspace: workspace.data, id, tab }),
    workspace.data && a3(View, { me, workspace: workspace.data, tab })
  ] });
}
function View({ me, workspace, tab }) {
  switch (tab) {
    case "memories":
      return a3(Memories, { me, workspace });
    case "state":
      return a3(State, { me, workspace });
    case "timeline":
      return a3(Timeline, { workspace });
    case "reach":
      return a3(Reach, { workspace });
    case "profiles":
      return a3(Profiles, { me, workspace });
    case "runs":
      return a3(Runs, { me, workspace });
    case "access":
      return a3(AccessLog, { workspace });
    case "connect":
      return a3(Connect, { me, workspace });
  }
}
function Head({ me, workspace, id, tab }) {
  const [isCreating, create] = d2(false);
  const tabs = T2(null);
  A2(() => tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [tab]);
  return a3($, { children: [
    a3("div", { class: "work-head", children: [
      a3("div", { class: "work-title", children: [
        a3("h1", { children: a3("bdi", { children: workspace?.name ?? " " }) }),
        workspace?.role && a3("p", { class: "role", children: a3("bdi", { children: workspace.role }) })
      ] }),
      a3(Id, { id }),
      workspace && a3(WorkspaceActions, { me, workspace }),
      may(me, "add_child") && a3(Button, { onClick: () => create(true), children: strings.workspace.addChild })
    ] }),
    a3("nav", { class: "tabs", "aria-label": strings.workspace.views, ref: tabs, children: a3("ul", { children: TABS.map((each) => a3("li", { children: a3(Link, { to: workspacePath(id, each), "aria-current": each === tab ? "page" : void 0, children: strings.tabs[each] }) }, each)) }) }),
    isCreating && workspace && a3(
      NewWorkspace,
      {
        title: strings.workspace.addChild,
        onClose: () => create(false),
        create: (name, role) => createWorkspace({ name, parent_id: id, ...role === "" ? {} : { role } })
      }
    )
  ] });
}

// src/tree/lens.ts
function useLens(selected, lens) {
  const reach2 = useResource(selected && lens && endpoint.reach(selected)).data;
  if (!reach2 || !lens) return void 0;
  const marks = /* @__PURE__ */ new Map();
  for (const { workspace_id, scope, reason } of reach2[lens]) {
    const mark = marks.get(workspace_id) ?? { scopes: [], reasons: [] };
    mark.scopes.push(scope);
    if (!mark.reasons.includes(reason)) mark.reasons.push(reason);
    marks.set(workspace_id, mark);
  }
  return marks;
}
function markText(mark, lens) {
  if (!mark) return strings.lens.none(lens);
  return strings.lens.mark(lens, mark.scopes.join(", "), mark.reasons.join("; "));
}

// src/tree/tree.tsx
var MARGIN = 8;
var TYPING_MS = 700;
function Tree(props) {
  const { rows, selected } = props;
  const ref = T2(null);
  const [active, setActive] = d2();
  const view = useView(ref);
  const typed = T2({ text: "", at: 0 });
  const index = indexOf(rows, active ?? selected);
  const height = view.rowHeight;
  const first = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + MARGIN);
  const shown2 = rows.slice(first, last);
  const activeRow = rows[index];
  const isAway = activeRow && (index < first || index >= last);
  const goTo = (next) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (!row) return;
    setActive(row.item.id);
    scrollTo(ref.current, rows.indexOf(row), height);
  };
  A2(() => {
    setActive(void 0);
    const place = indexOf(rows, selected);
    if (selected !== void 0 && rows[place]?.item.id === selected) scrollTo(ref.current, place, height);
  }, [selected, rows.length === 0]);
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !activeRow) return;
    const action = actionOf(event.key);
    if (action) action();
    else if (event.key.length === 1 && /\p{L}|\p{N}/u.test(event.key) && !isReserved(event)) typeAhead(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const actionOf = (key) => {
    const row = activeRow;
    switch (key) {
      case "ArrowDown":
      case "j":
        return () => goTo(index + 1);
      case "ArrowUp":
      case "k":
        return () => goTo(index - 1);
      case "Home":
        return () => goTo(0);
      case "End":
        return () => goTo(rows.length - 1);
      case "PageDown":
        return () => goTo(index + Math.floor(view.height / height));
      case "PageUp":
        return () => goTo(index - Math.floor(view.height / height));
      case "ArrowRight":
        return () => {
          if (row.item.childCount > 0 && !row.isOpen) props.onToggle(row.item.id, true);
          else if (row.isOpen) goTo(index + 1);
        };
      case "ArrowLeft":
        return () => {
          if (row.isOpen) props.onToggle(row.item.id, false);
          else goTo(parentOf(rows, index));
        };
      case "*":
        return () => props.onOpenAll(siblings(rows, row));
      case "Enter":
      case " ":
      case "o":
        return () => props.onSelect(row.item.id);
      default:
        return void 0;
    }
  };
  const isReserved = (event) => /^[lcg?1-9]$/i.test(event.key) && event.timeStamp - typed.current.at > TYPING_MS;
  const typeAhead = (event) => {
    const isMore = event.timeStamp - typed.current.at < TYPING_MS;
    const text2 = (isMore ? typed.current.text : "") + event.key.toLowerCase();
    typed.current = { text: text2, at: event.timeStamp };
    const start = isMore ? index : index + 1;
    for (let step = 0; step < rows.length; step += 1) {
      const place = (start + step) % rows.length;
      if (rows[place]?.item.name.toLowerCase().startsWith(text2)) return goTo(place);
    }
  };
  return a3(
    "div",
    {
      ref,
      class: `tree ${props.marks ? "with-lens" : ""}`,
      role: "tree",
      tabIndex: 0,
      "aria-label": strings.frame.workspaces,
      "aria-activedescendant": activeRow && rowId(activeRow),
      onKeyDown,
      children: a3("div", { role: "none", style: { height: `${rows.length * height}px` }, children: [
        isAway && a3(TreeRow, { ...props, row: activeRow, place: index, height, isActive: true }),
        shown2.map((row, offset) => a3(
          TreeRow,
          {
            ...props,
            row,
            place: first + offset,
            height,
            isActive: first + offset === index
          },
          row.item.id
        ))
      ] })
    }
  );
}
function TreeRow({ row, place, height, isActive, selected, lens, marks, onToggle, onSelect }) {
  const { item, level, isOpen } = row;
  const mark = marks?.get(item.id);
  const isDim = row.isAncestorOnly || marks !== void 0 && !mark;
  const classes = `tree-row ${isDim ? "dim" : ""} ${isActive ? "active" : ""}`;
  return a3(
    "div",
    {
      id: rowId(row),
      class: classes,
      role: "treeitem",
      "aria-level": level,
      "aria-setsize": row.size,
      "aria-posinset": row.position,
      "aria-expanded": item.childCount > 0 ? isOpen : void 0,
      "aria-selected": item.id === selected,
      title: lens && marks ? markText(mark, lens) : void 0,
      style: { top: `${place * height}px`, height: `${height}px`, "--level": level },
      onClick: () => onSelect(item.id),
      children: [
        a3(
          "span",
          {
            class: `caret ${item.childCount > 0 ? "" : "none"} ${isOpen ? "open" : ""}`,
            onClick: (event) => {
              event.stopPropagation();
              onToggle(item.id, !isOpen);
            },
            children: a3(CaretIcon, {})
          }
        ),
        a3("span", { class: "name", children: [
          a3("bdi", { children: item.name }),
          item.role !== void 0 && a3("span", { class: "role", children: [
            a3(Separator, {}),
            a3("bdi", { children: item.role })
          ] })
        ] }),
        marks && lens ? a3($, { children: [
          a3(ScopeSigns, { mark }),
          a3(Separator, { text: markText(mark, lens) })
        ] }) : a3($, { children: [
          a3(Separator, {}),
          a3("span", { class: "count", children: [
            item.memories ?? (row.isAncestorOnly ? "" : strings.unknown),
            item.memories !== void 0 && a3("span", { class: "unseen", children: [
              " ",
              strings.frame.memoriesOf(item.memories)
            ] })
          ] }),
          a3(Separator, {}),
          a3("span", { class: "age", children: item.lastWrite && a3(Time, { at: item.lastWrite, brief: true }) })
        ] })
      ]
    }
  );
}
function ScopeSigns({ mark }) {
  return a3("span", { class: "signs", children: mark?.scopes.map((scope) => a3("span", { class: `sign ${scope.toLowerCase()}`, children: a3(ScopeSign, { scope }) }, scope)) });
}
function Separator({ text: text2 = "" }) {
  return a3("span", { class: "unseen", children: [
    ", ",
    text2
  ] });
}
var rowId = (row) => `tree-${row.item.id}`;
function indexOf(rows, id) {
  if (id === void 0) return 0;
  return Math.max(0, rows.findIndex((row) => row.item.id === id));
}
function parentOf(rows, index) {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) {
    if ((rows[above]?.level ?? 1) < level) return above;
  }
  return index;
}
function siblings(rows, row) {
  const beside = rows.filter((other) => other.item.parent === row.item.parent && other.item.childCount > 0);
  return beside.map((other) => other.item.id);
}
function scrollTo(element, index, height) {
  if (!element) return;
  const top = index * height;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
}
function useView(ref) {
  const [view, set2] = d2({ top: 0, height: 800, rowHeight: 28 });
  F2(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const rowHeight = parseFloat(getComputedStyle(element).getPropertyValue("--row-height")) || 28;
      set2((old) => {
        const next = { top: element.scrollTop, height: element.clientHeight, rowHeight };
        const isSame2 = old.top === next.top && old.height === next.height && old.rowHeight === next.rowHeight;
        return isSame2 ? old : next;
      });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    const density = new MutationObserver(measure);
    density.observe(document.documentElement, { attributes: true, attributeFilter: ["data-density"] });
    return () => {
      watch.disconnect();
      density.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  return view;
}

// src/tree/pane.tsx
var PAGE_SIZE = 200;
function TreePane({ me, selected, filter }) {
  const store = useStore(me);
  const { query: query2 } = useRoute();
  const [text2, setText] = d2("");
  const wanted = useDebounced(text2.trim());
  const lens = selected === void 0 ? void 0 : lensOf(query2);
  const marks = useLens(selected, lens);
  const found = usePages(wanted === "" ? void 0 : endpoint.workspaces({ q: wanted, limit: PAGE_SIZE }));
  const isFiltered = wanted !== "";
  const all = w2(() => visibleRows(store.items, store.roots, store.open), [store, store.version]);
  const hits = w2(() => searchRows(found.rows ?? []), [found.rows]);
  const rows = isFiltered ? hits : all;
  A2(() => {
    if (selected !== void 0 && store.isLoaded) void store.reveal(selected);
  }, [selected, store.isLoaded, store.items]);
  useKeys({
    "l": () => toggle("reads", lens, selected),
    "Shift+l": () => toggle("read_by", lens, selected),
    "Escape": () => {
      if (text2 === "") return false;
      setText("");
      return true;
    }
  });
  const select = (id) => go(targetOf(id));
  return a3("div", { class: "tree-pane", children: [
    a3("div", { class: "tree-filter", children: [
      a3(SearchIcon, {}),
      a3(
        "input",
        {
          ref: filter,
          type: "text",
          placeholder: strings.frame.filter,
          "aria-label": strings.frame.filter,
          value: text2,
          onInput: (event) => setText(event.currentTarget.value)
        }
      ),
      text2 !== "" && a3(IconButton, { label: strings.frame.clearFilter, onClick: () => setText(""), children: a3(CloseIcon, {}) })
    ] }),
    a3(LensBar, { lens, selected }),
    store.failure && a3(ErrorNotice, { failure: store.failure }),
    !store.isLoaded && !store.failure && a3(Skeleton, { rows: 8, height: 28 }),
    isFiltered && found.failure && a3(ErrorNotice, { failure: found.failure }),
    isFiltered && found.rows && a3(SearchStatus, { rows: found.rows, hasMore: found.hasMore, onMore: found.more }),
    store.isLoaded && !isFiltered && rows.length === 0 && a3(Empty, { title: strings.frame.noWorkspaces }),
    rows.length > 0 && a3(
      Tree,
      {
        rows,
        selected,
        lens,
        marks,
        onToggle: (id, isOpen) => store.toggle(id, isOpen),
        onOpenAll: (ids) => store.openAll(ids),
        onSelect: select
      }
    )
  ] });
}
function SearchStatus({ rows, hasMore, onMore }) {
  return a3("p", { class: "tree-found", role: "status", children: [
    rows.length === 0 ? strings.frame.noneFound : strings.frame.found(rows.length, hasMore),
    " ",
    hasMore && a3(Button, { kind: "quiet", onClick: onMore, children: strings.more })
  ] });
}
function LensBar({ lens, selected }) {
  const workspace = useResource(selected && endpoint.workspace(selected)).data;
  const option = (which, label) => a3(
    "button",
    {
      type: "button",
      "aria-pressed": lens === which,
      disabled: selected === void 0 && which !== void 0,
      onClick: () => goWith({ lens: which }, { replace: true }),
      children: label
    }
  );
  return a3("div", { class: "lens-bar", children: [
    a3("div", { class: "segments", role: "group", "aria-label": strings.lens.title, children: [
      option(void 0, strings.lens.off),
      option("reads", strings.lens.reads),
      option("read_by", strings.lens.readBy)
    ] }),
    lens && workspace && a3("p", { children: a3("bdi", { children: strings.lens.sentence(lens, workspace.name) }) })
  ] });
}
function lensOf(query2) {
  const lens = query2.get("lens");
  return lens === "reads" || lens === "read_by" ? lens : void 0;
}
function toggle(which, lens, selected) {
  if (selected === void 0) return false;
  goWith({ lens: lens === which ? void 0 : which }, { replace: true });
}
function targetOf(id) {
  const { screen, query: query2 } = current();
  const tab = screen.name === "workspace" ? screen.tab : "memories";
  const lens = query2.get("lens");
  return `${workspacePath(id, tab)}${lens ? `?lens=${lens}` : ""}`;
}
function useStore(me) {
  const [, redraw] = d2(0);
  const store = w2(() => treeStoreFor(me), [me.jti]);
  A2(() => store.listen(() => redraw((count2) => count2 + 1)), [store]);
  return store;
}

// src/frame/help.tsx
function Help({ onClose }) {
  return a3(Dialog, { title: strings.help.title, onClose, children: a3("div", { class: "help", children: strings.help.groups(MOD).map(([title, rows]) => a3("section", { children: [
    a3("h3", { children: title }),
    a3("table", { children: a3("tbody", { children: rows.map(([keys, does]) => a3("tr", { children: [
      a3("th", { scope: "row", children: keys.map((key) => a3("kbd", { children: key }, key)) }),
      a3("td", { children: does })
    ] }, does)) }) })
  ] }, title)) }) });
}

// src/frame/jump.tsx
function Jump({ me, onClose }) {
  const [text2, setText] = d2("");
  const [active, setActive] = d2(0);
  const wantsId = isId(text2);
  const id = P2();
  const among = (workspaces) => wantsId ? byId(text2.trim()) : [...screens2(me, text2), ...workspaces.map(toWorkspace)];
  const chosenOf = (choices2) => Math.min(active, choices2.length - 1);
  const found = useWorkspaceSearch(wantsId ? "" : text2, (workspaces) => {
    const settled = among(workspaces);
    take(settled[chosenOf(settled)]);
  });
  const choices = among(found.workspaces);
  const chosen = chosenOf(choices);
  const take = (choice) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event) => {
    if (event.key === "ArrowDown") setActive(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") found.enter();
    else return;
    event.preventDefault();
  };
  return a3(Dialog, { title: strings.jump.title, size: "narrow", onClose, children: a3("div", { class: "jump", children: [
    a3(
      "input",
      {
        type: "text",
        role: "combobox",
        autofocus: true,
        autocomplete: "off",
        spellcheck: false,
        "aria-expanded": "true",
        "aria-controls": id,
        "aria-label": strings.jump.label,
        "aria-activedescendant": choices.length > 0 ? `${id}-${chosen}` : void 0,
        placeholder: strings.jump.placeholder,
        value: text2,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setActive(0);
        },
        onKeyDown
      }
    ),
    a3("ul", { id, role: "listbox", "aria-label": strings.jump.results, children: choices.map((choice, index) => a3(
      "li",
      {
        id: `${id}-${index}`,
        role: "option",
        "aria-selected": index === chosen,
        ref: (element) => {
          if (index === chosen) element?.scrollIntoView({ block: "nearest" });
        },
        onPointerMove: () => setActive(index),
        onClick: () => take(choice),
        children: [
          a3("bdi", { children: choice.name }),
          a3("span", { class: "about", children: a3("bdi", { children: choice.about }) })
        ]
      },
      `${choice.name} ${choice.about}`
    )) }),
    choices.length === 0 && text2.trim() !== "" && !found.isLoading && a3("p", { class: "quiet", children: strings.jump.nothing })
  ] }) });
}
function toWorkspace(workspace) {
  const { screen } = current();
  const tab = screen.name === "workspace" ? screen.tab : "memories";
  const about = workspace.path.map((step) => step.name).join(" ▸ ");
  return { name: workspace.name, about, run: () => go(workspacePath(workspace.id, tab)) };
}
function byId(id) {
  const { screen } = current();
  const workspace = { name: strings.jump.workspaceById, about: id, run: () => go(workspacePath(id)) };
  if (screen.name !== "workspace") return [workspace];
  const memory = () => go(`${workspacePath(screen.id)}?m=${id}`);
  return [{ name: strings.jump.memoryById, about: id, run: memory }, workspace];
}
function screens2(me, text2) {
  const { screen } = current();
  const all = [{ name: strings.frame.orgs(me.role), about: strings.jump.page, run: () => go("./") }];
  if (may(me, "read_access_log")) all.push({ name: strings.access.audit, about: strings.jump.page, run: () => go("audit") });
  if (may(me, "read_server")) all.push({ name: strings.system.title, about: strings.jump.page, run: () => go("system") });
  if (screen.name === "workspace") {
    const { id } = screen;
    for (const [tab, name] of Object.entries(strings.tabs)) {
      all.push({ name, about: strings.jump.thisWorkspace, run: () => go(workspacePath(id, tab)) });
    }
    if (may(me, "write_memories")) {
      all.push({ name: strings.write.do, about: strings.jump.thisWorkspace, run: () => goWith({ write: "1" }) });
    }
  }
  const wanted = text2.trim().toLowerCase();
  return all.filter((choice) => choice.name.toLowerCase().includes(wanted));
}

// src/frame/resizer.tsx
var LEAST = 220;
var MOST3 = 560;
var STEP = 20;
var between = (width) => Math.max(LEAST, Math.min(MOST3, Math.round(width)));
function Resizer() {
  const ref = T2(null);
  const width = preferences.current.treeWidth;
  const resize = (to) => {
    setPreferences({ treeWidth: between(to) });
    ref.current?.setAttribute("aria-valuenow", String(between(to)));
  };
  return a3(
    "div",
    {
      ref,
      class: "resizer",
      role: "separator",
      "aria-orientation": "vertical",
      "aria-label": strings.frame.resize,
      "aria-valuemin": LEAST,
      "aria-valuemax": MOST3,
      "aria-valuenow": width,
      tabIndex: 0,
      onKeyDown: (event) => {
        const step = event.key === "ArrowLeft" ? -STEP : event.key === "ArrowRight" ? STEP : 0;
        if (step === 0) return;
        event.preventDefault();
        resize(preferences.current.treeWidth + step);
      },
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX);
      }
    }
  );
}

// src/frame/account.tsx
var SOON_MS = 15 * 6e4;
function usePreferences() {
  const [shown2, set2] = d2(preferences.current);
  A2(() => onPreferencesChange(() => set2(preferences.current)), []);
  return shown2;
}
function AccountMenu({ me, onHelp }) {
  const now = useNow();
  const current4 = usePreferences();
  const endsSoon = Date.parse(me.expires_at) - now < SOON_MS;
  return a3($, { children: [
    endsSoon && a3("span", { class: "ends-soon", children: strings.account.endsSoon(relative(me.expires_at, now)) }),
    a3("button", { type: "button", class: "who", popovertarget: "who", children: [
      a3("bdi", { children: me.subject }),
      a3("span", { class: "role", children: me.role })
    ] }),
    a3("div", { id: "who", class: "menu", popover: "auto", children: [
      a3("dl", { children: [
        a3("dt", { children: strings.account.role }),
        a3("dd", { children: strings.account.may(me.role, me.workspace_name ?? void 0) }),
        a3("dt", { children: strings.account.until }),
        a3("dd", { title: me.expires_at, children: relative(me.expires_at, now) })
      ] }),
      a3("label", { children: [
        strings.account.theme,
        a3(
          Select,
          {
            value: current4.theme,
            options: strings.account.themes,
            onChange: (theme) => setPreferences({ theme })
          }
        )
      ] }),
      a3("label", { children: [
        strings.account.density,
        a3(
          Select,
          {
            value: current4.density,
            options: strings.account.densities,
            onChange: (density) => setPreferences({ density })
          }
        )
      ] }),
      a3("label", { children: [
        strings.account.singleKeys,
        a3(
          "input",
          {
            type: "checkbox",
            checked: current4.singleKeys,
            onChange: (event) => setPreferences({ singleKeys: event.currentTarget.checked })
          }
        )
      ] }),
      a3("div", { class: "menu-actions", children: [
        a3(Button, { kind: "quiet", onClick: onHelp, children: strings.help.title }),
        a3(Button, { kind: "quiet", onClick: () => void signOutAndReload(), children: strings.account.leave })
      ] })
    ] })
  ] });
}

// src/frame/frame.tsx
function Frame({ me }) {
  const { screen } = useRoute();
  const [open2, setOpen] = d2();
  const [isTreeShown, showTree] = d2(false);
  const filter = T2(null);
  const selected = screen.name === "workspace" ? screen.id : void 0;
  A2(() => showTree(false), [selected, screen.name]);
  useKeys({
    "Mod+k": () => setOpen("jump"),
    "?": () => setOpen("help"),
    "g t": () => {
      showTree(true);
      filter.current?.focus();
    },
    "g s": () => may(me, "read_server") && go("system"),
    "g a": () => may(me, "read_access_log") ? go("audit") : false,
    "g h": () => go("./"),
    "Escape": () => isTreeShown ? showTree(false) : false
  });
  return a3($, { children: [
    a3("button", { type: "button", class: "skip", onClick: () => document.getElementById("main")?.focus(), children: strings.frame.skip }),
    a3("header", { class: "top", children: [
      a3(IconButton, { class: "tree-toggle", label: strings.frame.tree, expanded: isTreeShown, onClick: () => showTree(!isTreeShown), children: a3(MenuIcon, {}) }),
      a3(Link, { to: "./", class: "mark", children: [
        a3("img", { src: "icon.svg", alt: "", width: "20", height: "20" }),
        "orgmem"
      ] }),
      a3(Crumbs, { screen }),
      a3("button", { type: "button", class: "jump-button", onClick: () => setOpen("jump"), children: [
        a3(SearchIcon, {}),
        a3("span", { children: strings.jump.button }),
        a3("kbd", { children: [
          MOD,
          "K"
        ] })
      ] }),
      a3(LiveStatus, { me, selected }),
      a3(AccountMenu, { me, onHelp: () => setOpen("help") })
    ] }),
    a3("div", { class: `body ${isTreeShown ? "with-tree" : ""}`, children: [
      a3("nav", { class: "side", "aria-label": strings.frame.navigation, children: [
        a3("ul", { class: "rail", children: [
          a3("li", { children: a3(RailLink, { to: "./", isCurrent: screen.name === "home", children: [
            a3(TreeIcon, {}),
            strings.frame.orgs(me.role)
          ] }) }),
          may(me, "read_access_log") && a3("li", { children: a3(RailLink, { to: "audit", isCurrent: screen.name === "audit", children: [
            a3(List, {}),
            strings.access.audit
          ] }) }),
          may(me, "read_server") && a3("li", { children: a3(RailLink, { to: "system", isCurrent: screen.name === "system", children: [
            a3(GaugeIcon, {}),
            strings.system.title
          ] }) })
        ] }),
        a3(TreePane, { me, selected, filter }),
        a3(Resizer, {})
      ] }),
      a3(Work, { me, screen })
    ] }),
    open2 === "jump" && a3(Jump, { me, onClose: () => setOpen(void 0) }),
    open2 === "help" && a3(Help, { onClose: () => setOpen(void 0) })
  ] });
}
function RailLink({ to, isCurrent, children }) {
  return a3(Link, { to, "aria-current": isCurrent ? "page" : void 0, children });
}
function Work({ me, screen }) {
  switch (screen.name) {
    case "home":
      return a3(Home, { me });
    case "system":
      return a3(System, {});
    case "audit":
      return a3(Audit, { me });
    case "workspace":
      return a3(WorkspaceScreen, { me, id: screen.id, tab: screen.tab }, screen.id);
    case "not_found":
      return a3(NotFound, {});
  }
}
function Crumbs({ screen }) {
  const id = screen.name === "workspace" ? screen.id : void 0;
  const workspace = useResource(id && endpoint.workspace(id)).data;
  if (!workspace || screen.name !== "workspace") return a3("div", { class: "crumbs" });
  return a3("nav", { class: "crumbs", "aria-label": strings.frame.path, children: a3("ol", { children: [
    workspace.path.map((step) => a3("li", { children: a3(Link, { to: workspacePath(step.id, screen.tab), children: a3("bdi", { children: step.name }) }) }, step.id)),
    a3("li", { "aria-current": "page", children: a3("bdi", { children: workspace.name }) })
  ] }) });
}

// src/frame/sign-in.tsx
function SignIn() {
  useTitle(strings.signIn.title);
  const linkFailure2 = linkCodeFailure();
  return a3("main", { class: "alone", children: [
    a3("img", { src: "icon.svg", alt: "", width: "40", height: "40" }),
    a3("h1", { children: strings.signIn.title }),
    linkFailure2 && a3("p", { class: "notice", role: "alert", children: failureMessage(linkFailure2) }),
    a3(TokenForm, {})
  ] });
}
function SignInAgain({ me }) {
  return a3(Dialog, { title: strings.signIn.ended, size: "narrow", onClose: () => {
  }, isForced: true, children: [
    a3("p", { children: strings.signIn.again(me.subject) }),
    a3(TokenForm, {})
  ] });
}
function TokenForm() {
  const [token, setToken] = d2("");
  const [failure, setFailure] = d2();
  const [isBusy, setBusy] = d2(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy || token.trim() === "") return;
    setBusy(true);
    try {
      await signInWithToken(token);
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  return a3("form", { onSubmit: (event) => void submit(event), children: [
    a3(Field, { label: strings.signIn.token, hint: strings.signIn.where, fault: failure && failureMessage(failure), children: (attributes) => a3(
      "input",
      {
        ...attributes,
        type: "password",
        autocomplete: "off",
        spellcheck: false,
        autofocus: true,
        required: true,
        value: token,
        onInput: (event) => setToken(event.currentTarget.value)
      }
    ) }),
    a3(Button, { kind: "primary", type: "submit", isBusy, children: strings.signIn.do })
  ] });
}

// src/frame/app.tsx
function App() {
  const me = useResource(endpoint.me);
  const hasEnded = useSessionEnded();
  if (me.data) {
    return a3($, { children: [
      a3(Frame, { me: me.data }),
      hasEnded && a3(SignInAgain, { me: me.data }),
      a3(Toasts, {})
    ] });
  }
  if (hasEnded) return a3(SignIn, {});
  if (me.failure && !me.isLoading) {
    return a3("main", { class: "alone", children: a3(ErrorNotice, { failure: me.failure }) });
  }
  return a3("div", { class: "top" });
}

// src/main.tsx
applyPreferences();
var root = document.getElementById("console");
if (root && isEmbedded) {
  setTokenProvider(hostToken);
  if (parent !== window) hostToken.start();
  Q(a3(Embedded, {}), root);
} else if (root) {
  await redeemLinkCode();
  Q(a3(App, {}), root);
}
